# Completion of nccl-analyze for fish. The program itself knows what can come next.

function __nccl_analyze_complete
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    for line in ($program __complete $words[2..-1] "$token" 2>/dev/null)
        if test "$line" = ':files'
            set -l before (string match -r -- '^--[a-z-]+=' "$token")
            for file in (__fish_complete_path (string replace -r -- '^--[a-z-]+=' '' "$token"))
                echo "$before$file"
            end
        else
            echo $line
        end
    end
end

complete -c nccl-analyze -f -a '(__nccl_analyze_complete)'
