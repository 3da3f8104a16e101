# Completion of nccl-analyze for bash. The program itself knows what can come next.

_nccl_analyze() {
    local words line word about files='' begun=${COMP_LINE:0:COMP_POINT}
    read -a words <<<"$begun" # without -r: what a backslash protects belongs to the word
    [[ $begun == *[[:space:]] ]] && words+=('')
    local last=${words[${#words[@]} - 1]} program=${words[0]/#\~/$HOME}
    type -P -- "$program" >/dev/null || program=nccl-analyze # an alias

    # Bash replaces only what follows the last of these signs, and the program answers with whole words.
    local before=''
    [[ $COMP_WORDBREAKS == *=* && $last == *=* ]] && before=${last%"${last##*=}"}

    COMPREPLY=()
    while IFS=$'\t' read -r word about; do
        if [[ $word == :files ]]; then
            files=yes
        else
            COMPREPLY+=("${word#"$before"}")
        fi
    done < <("$program" __complete "${words[@]:1}" 2>/dev/null)

    if [[ $files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${last#"$before"}")
    else
        local i
        for i in "${!COMPREPLY[@]}"; do
            [[ ${COMPREPLY[i]} == *[^[:alnum:],.:=_/-]* ]] && printf -v "COMPREPLY[$i]" %q "${COMPREPLY[i]}"
        done
        [[ ${COMPREPLY[*]-} == *= ]] && compopt -o nospace 2>/dev/null
    fi
    return 0
}

complete -F _nccl_analyze nccl-analyze
