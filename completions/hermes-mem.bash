# bash completion for hermes-mem: fetches the real script from the program, wherever it is installed.
_hermes_mem_fetch() {
    complete -r hermes-mem 2>/dev/null
    unset -f _hermes_mem_fetch
    if command -v hermes-mem >/dev/null 2>&1; then
        # shellcheck disable=SC1090
        source <(COMPLETE=bash hermes-mem 2>/dev/null) && return 124
    fi
    return 1
}
complete -F _hermes_mem_fetch -o bashdefault -o default hermes-mem
