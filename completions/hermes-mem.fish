# fish completion for hermes-mem: fetches the real script from the program, wherever it is installed.
if command -q hermes-mem
    COMPLETE=fish hermes-mem 2>/dev/null | source
end
