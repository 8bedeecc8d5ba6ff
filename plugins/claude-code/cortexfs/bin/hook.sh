# Runs a hook of cortexfs for the plugin: finds the tree, and passes its paths to the script.
# hooks.json sources it with $hook (note, flush, guard or inject) and $bin, the folder of this file.
#
# The scripts beside it are copies of those that `cortexfs setup claude-code` installs. If that was
# run, its hooks do the work, and these do nothing. It always exits 0: to the client 2 means "block".

home=${CORTEX_HOME:-$HOME/.cortex}
for record in "$home"/hooks/claude-code.*.json; do
    if [ -e "$record" ]; then
        cat > /dev/null
        exit 0
    fi
done

root=${CORTEXFS_ROOT:-$home/context}
root=${root%/}
above=${root%/*}
set -- "$root" "${above##*/}/${root##*/}"
if [ -h "$root" ] || [ -h "$above" ]; then
    real=$(cd "$root" 2> /dev/null && pwd -P) && set -- "$@" "$real"
fi

spool=$root/.cortexfs/spool
case $hook in
note)
    python3 -I -S "$bin/note_event.py" "$spool" "$@" -- \
        /usr/bin/env python3 -I -S "$bin/drain_later.py" "$spool" \
        /usr/bin/env cortexfs --root "$root" hook drain
    ;;
flush)
    python3 -I -S "$bin/note_event.py" --flush "$spool" -- \
        /usr/bin/env python3 -I -S "$bin/drain_later.py" --now "$spool" \
        /usr/bin/env cortexfs --root "$root" hook drain
    ;;
inject)
    python3 -I -S "$bin/inject_context.py" --client=claude-code "$spool" "${3:-$root}" -- \
        /usr/bin/env python3 -I -S "$bin/drain_later.py" "$spool" \
        /usr/bin/env cortexfs --root "$root" hook drain
    ;;
guard)
    python3 -I -S "$bin/start_guard.py" "$root" "$@"
    ;;
esac
exit 0
