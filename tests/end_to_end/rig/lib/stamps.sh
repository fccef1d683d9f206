# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What is built already is not built again. A stamp holds a digest of everything the result follows
# from and the names of the files it consists of. It is written after them, and each file is moved
# into place whole, so an interruption at any point costs at most one step.

rig_stamps=$ADJOINT_RIG/stamps

# stamp_digest WORDS|FILES...: of the files' contents and of the words that are no files
stamp_digest() {
    local item
    for item in "$@"; do
        if [[ -f $item ]]; then cat "$item"; else printf '%s\n' "$item"; fi
    done | sha256sum | cut -d' ' -f1
}

# stamp_holds NAME DIGEST
stamp_holds() {
    local file
    [[ -f $rig_stamps/$1 ]] || return 1
    {
        read -r file
        [[ $file == "$2" ]] || return 1
        while read -r file; do
            [[ -e $ADJOINT_RIG/$file ]] || return 1
        done
    } <"$rig_stamps/$1"
}

# stamp_write NAME DIGEST FILES...: files relative to ADJOINT_RIG
stamp_write() {
    local name=$1
    shift
    mkdir -p "$rig_stamps"
    printf '%s\n' "$@" >"$rig_stamps/.$name"
    mv "$rig_stamps/.$name" "$rig_stamps/$name"
}
