#!/bin/sh
# One look at the NCCL logs of this node: makes a summary for each job, and hands only summaries on. README.md says what
# it promises. nccl-node.timer runs it, or the loop of daemonset.yaml; it may run by hand at any time, and be killed.
# Each folder in NCCL_LOGS is a job: JOB/.../HOST.PID.log. What belongs to a job is done as the owner of its folder.
set -u
export NCCL_LOGS="${NCCL_LOGS:-/var/log/nccl}"
export NCCL_STATE="${NCCL_STATE:-/var/lib/nccl-node}"
export NCCL_SUMMARIES="${NCCL_SUMMARIES:-/shared/nccl}" # JOB/NODE.sum; a folder like /tmp, in which every user may write
export NCCL_NODE="${NCCL_NODE:-$(uname -n | cut -d . -f 1)}"
log_mb=${NCCL_LOG_MB:-64}       # what a log that takes more holds is summarised and cut off
kept_mb=${NCCL_KEPT_MB:-64}     # when summaries of what was cut off of a job take more, further cuts are not summarised
total_mb=${NCCL_TOTAL_MB:-8192} # when all logs take more, those that are silent for an hour and not open go, the oldest job first
days=${NCCL_DAYS:-3}            # the logs of a job that is silent for so long and has none open go
self=$(realpath "$0")

say() { echo "nccl-node: $*" >&2; }
megabytes() { du -s --block-size=1M "$1" | cut -f 1; }
note() { echo "$2" >"$1.new" && mv -f "$1.new" "$1"; } # writes a line into a file, as a whole: `note FILE LINE`
merge() { nccl-analyze merge --quiet -f summary --fail-on never "$@"; }

# A summary of `log`, or of the part of it that a folder holds under the same name: `summarise FOLDER INTO [MISSING]`
summarise() {
    folder=$1 into=$2
    shift 2
    (cd "$folder" && nccl-analyze --quiet -f summary --fail-on never --job "$job" --node "$NCCL_NODE" \
        --lines-before "$lines" -o "$into" "$log" "$@")
}

# Adds summaries to those of what is no longer there. One that is there already counts once.
keep() {
    [ ! -e "$here/kept.sum" ] || set -- "$@" "$here/kept.sum"
    merge -o "$here/kept.new" "$@" && mv -f "$here/kept.new" "$here/kept.sum"
}

# What was cut off of the log so far: its bytes, its lines, and how many of these were not summarised. A log that is
# shorter than that or than a plan was emptied by others, or removed: it begins anew, and the numbers of its lines go on.
read_cut() {
    offset=0 lines=0 unread=0 end=0
    [ ! -s "$cut" ] || read -r offset lines unread <"$cut"
    [ ! -s "$cut.next" ] || read -r end _ <"$cut.next"
    size=$(stat -c %s "$log" 2>/dev/null || echo 0)
    if [ "$size" -lt "$offset" ] || [ "$size" -lt "$end" ]; then
        [ ! -s "$cut.next" ] || read -r _ lines unread <"$cut.next"
        rm -f "$cut.next" "$cut.hole"
        offset=0
        note "$cut" "0 $lines $unread"
    fi
}

# The log from `offset` to `$1`, without the hole that is left where others have emptied it.
rest() { tail -c "+$((offset + 1))" "$log" | head -c "$(($1 - offset))" | tr -d '\000' >"$piece"; }

# What others have compressed has no lines that one could cut between.
is_compressed() {
    case $(head -c 4 "$log" | od -A n -t x1 | tr -d ' ') in 1f8b* | fd377a58 | 28b52ffd) ;; *) false ;; esac
}

is_long() { [ $(($(stat -c %b "$log") * 512)) -gt $((log_mb * 1048576)) ] && [ $((size - offset)) -gt $((log_mb * 1048576)) ]; }

# Plans a cut behind the last whole line: the next content of the file `cut`.
plan() {
    rest "$size"
    more=$(wc -l <"$piece") unfinished=0 skipped=0
    [ -z "$(tail -c 1 "$piece")" ] || unfinished=$(tail -n 1 "$piece" | wc -c)
    if [ -e "$here/kept.sum" ] && [ "$(megabytes "$here/kept.sum")" -ge "$kept_mb" ]; then skipped=$more; fi
    [ "$more" -gt 0 ] && note "$cut.next" "$((size - unfinished)) $((lines + more)) $((unread + skipped))"
}

# Frees the blocks of what was cut off. The log keeps its size and its writer its place, so that no line is lost.
punch() {
    fallocate --punch-hole --offset 0 --length "$offset" "$log" || say "what was cut off of $log keeps its room"
    rm -f "$cut.hole"
}

# Carries out the plan. If this was interrupted, the same part is summarised again, which counts once.
carry_out() {
    read -r end _ not_read <"$cut.next"
    rest "$end"
    if [ "$not_read" = "$unread" ]; then
        summarise "$here/piece" "$here/piece.sum" && keep "$here/piece.sum" || return
    fi
    rm -f "$part" "$seen" "$piece" "$here/piece.sum"
    : >"$cut.hole" && mv -f "$cut.next" "$cut" && read_cut && punch
}

# Looks at one log of a job: cuts it off if it is long, and summarises what is left of it if it has changed.
look_at_log() {
    log=$1 part=$here/parts/$1 cut=$here/cut/$1 seen=$here/seen/$1 piece=$here/piece/$1
    mkdir -p "${part%/*}" "${cut%/*}" "${seen%/*}" "${piece%/*}"
    read_cut
    [ ! -e "$cut.hole" ] || [ "$offset" = 0 ] || punch
    if [ -s "$cut.next" ] || { is_long && ! is_compressed && plan; }; then carry_out || say "cannot cut off $log"; fi
    now=$(stat -c "%s %.9Y $offset" "$log")
    size=${now%% *}
    [ "$now" != "$(cat "$seen" 2>/dev/null)" ] || return 0
    set -- "$NCCL_LOGS" "$part"
    if [ "$offset" != 0 ]; then
        rest "$size" && set -- "$here/piece" "$part" || return
    fi
    [ "$unread" = 0 ] || set -- "$@" "$log ($unread lines were removed unread)"
    summarise "$@" && rm -f "$piece" && note "$seen" "$now"
}

# Whether a folder belongs to who writes there, as a new folder in it would. Somebody else may have made it first.
is_mine() {
    owners=0
    if [ ! -L "$1" ]; then
        made=$(mktemp -d "$1/.XXXXXX") || return
        owners=$(stat -c %u "$1" "$made" | uniq | wc -l)
        rmdir "$made"
    fi
    [ "$owners" = 1 ] || { say "$1 belongs to somebody else" && return 1; }
}

# Hands on what changed: one summary, which replaces the last one as a whole.
hand_on() {
    now=$(cd "$here" && find parts kept.sum -type f -printf '%p %s %T@\n' 2>/dev/null | sort | cksum)
    to=$NCCL_SUMMARIES/$job/$NCCL_NODE.sum
    if [ -e "$to" ] && [ "$now" = "$(cat "$here/handed" 2>/dev/null)" ]; then return 0; fi
    set --
    [ ! -e "$here/kept.sum" ] || set -- "$here/kept.sum"
    [ -z "$(find "$here/parts" -type f -print -quit)" ] || set -- "$@" "$here/parts"
    [ $# != 0 ] || return 0 # no log yet
    mkdir -p "${to%/*}" && is_mine "${to%/*}" && merge -o "$to" "$@" && note "$here/handed" "$now"
}

# Forgets what is known of a log if it is gone, but for the number of its lines: `forget parts/LOG`
forget() {
    log=${1#*/} cut=$here/cut/${log%.next}
    if [ -e "$log" ] || [ -e "${log%.next}" ]; then return; fi
    case $1 in
    cut/*) log=${log%.next} && read_cut ;;
    *) rm -f "$here/$1" ;;
    esac
}

forget_removed() { (cd "$here" && find parts cut seen -type f -exec "$self" forget "$job" {} +); }

# Looks at the logs of a job. A log that others removed is no part of the summary any more.
look_at_job() {
    forget_removed
    find "$job" -type f -exec "$self" log "$job" {} +
    status=$?
    hand_on && return "$status"
}

# Whether a process that its owner sees has a file of the job open: NCCL may be silent for days, and its last words count.
# Paths of processes with another root begin with that.
is_open() { [ -n "$(find /proc/[0-9]*/fd -lname "*$(pwd -P)/$job/*" -print -quit 2>/dev/null)" ]; }

# Removes the logs of a job that was handed on and runs no more. Their summaries stay, should the job go on.
remove() {
    ! is_open || return 0
    [ ! -d "$here/parts/$job" ] || keep "$here/parts" || return
    rm -rf "$job" "$here/parts/$job" "$here/seen/$job" && forget_removed
}

is_silent() { [ -z "$(find "$1" -mmin "-$2" -print -quit)" ]; }

# Whether a name in NCCL_LOGS is that of a job. Users choose these names.
is_job() {
    case $1 in -* | *[!A-Za-z0-9._@:+=,-]*) return 1 ;; esac
    [ -d "$1" ] && [ ! -L "$1" ]
}

# Runs this script for a job as the owner of the job's folder. Only who has no capability at all goes on as who it is.
as_owner() {
    owner=$(stat -c %u "$2") group=$(stat -c %g "$2")
    set -- "$self" "$@"
    if [ "$owner" != "$(id -u)" ] && grep -q '^CapEff:.*[1-9a-f]' /proc/self/status; then
        install -d -m 700 -o "$owner" -g "$group" "$NCCL_STATE/$3" || return
        set -- setpriv --reuid "$owner" --regid "$group" --clear-groups "$@"
    fi
    "$@"
}

# The jobs whose logs are silent for an hour, the oldest first.
silent_jobs() {
    for one in *; do
        is_job "$one" && is_silent "$one" 60 && echo "$(find "$one" -printf '%T@\n' | sort -n | tail -n 1) $one"
    done | sort -n | cut -d ' ' -f 2
}

takes_too_much() { [ "$(megabytes .)" -gt "$total_mb" ]; }

cd "$NCCL_LOGS" || exit
if [ $# != 0 ]; then
    what=$1 job=$2 here=$NCCL_STATE/$2 failed=0
    shift 2
    mkdir -p "$here/parts" "$here/cut" "$here/seen" || exit
    case $what in
    log) for one in "$@"; do look_at_log "$one" || failed=1; done ;;
    forget) for one in "$@"; do forget "$one" || failed=1; done ;;
    job) look_at_job || failed=1 ;;
    remove) remove || failed=1 ;;
    esac
    exit $failed
fi

mkdir -p "$NCCL_STATE" && exec 9>>"$NCCL_STATE/lock" || exit
flock --nonblock 9 || exit 0 # another look is at work
failed=0 unseen=' '
for job in *; do
    is_job "$job" || continue
    if ! as_owner job "$job"; then
        failed=1 unseen="$unseen$job "
    elif is_silent "$job" $((days * 1440)); then
        as_owner remove "$job" || failed=1
    fi
done
if takes_too_much; then
    for job in $(silent_jobs); do
        case $unseen in *" $job "*) continue ;; esac # what nobody has read stays
        as_owner remove "$job" || failed=1
        takes_too_much || break
    done
    ! takes_too_much || say "the logs take more than $total_mb MB"
fi
cd "$NCCL_STATE" && find . -mindepth 1 -maxdepth 1 -mtime +30 -type d ! -exec test -e "$NCCL_LOGS/{}" \; -exec rm -rf {} +
exit $failed
