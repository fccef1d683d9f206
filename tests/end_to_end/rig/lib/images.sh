# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# The three container images: the sandbox's pause, CloudNativePG's operator from the program built
# here, and Postgres 15 from Debian. An image is one layer, packed as an uncompressed OCI archive
# (images/pack_image.py): no daemon, no registry, and quick to import.

postgres_release=bookworm

# debian_mirror: the address this machine's own apt uses for the release
debian_mirror() {
    local mirror
    # shellcheck disable=SC2016  # apt-get replaces it
    mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $postgres_release" \
        'Identifier: Packages' | head -n 1)
    [[ $mirror ]] || fail "apt knows no mirror of Debian $postgres_release"
    echo "$mirror"
}

fill_pause() {
    gcc -static -O2 -o "$1/pause" "$rig_source/images/pause.c"
}

fill_cloudnative_pg() {
    mkdir -p "$1/operator" "$1/tmp" "$1/etc/ssl/certs"
    chmod 1777 "$1/tmp"
    cp "$rig_bin/cnpg-manager" "$1/operator/manager_$(go env GOARCH)"
    ln -s "operator/manager_$(go env GOARCH)" "$1/manager"
    cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
}

# CloudNativePG expects Postgres' user to be 26. Left out: what is only read by people, Debian's own
# database, perl and its scripts, and LLVM, without which Postgres interprets every query.
fill_postgresql() {
    debootstrap --variant=minbase --include=postgresql-15,ca-certificates \
        "$postgres_release" "$1" "$(debian_mirror)" >/dev/null
    chroot "$1" usermod --uid 26 postgres
    chroot "$1" chown -R postgres:postgres \
        /var/lib/postgresql /var/run/postgresql /var/log/postgresql
    rm -rf "$1"/var/{cache,lib}/apt/* "$1"/var/lib/postgresql/15 "$1"/var/log/*.log \
        "$1"/usr/share/{doc,i18n,info,locale,man,perl} "$1"/usr/lib/*-linux-gnu/perl \
        "$1"/usr/lib/*-linux-gnu/{libLLVM-,libz3.}* \
        "$1"/usr/lib/postgresql/15/lib/{bitcode,llvmjit.so}
}

# image NAME REFERENCE INPUT CONFIGURATION: filled by fill_NAME; INPUT is a file it follows from,
# CONFIGURATION the image's, in JSON
image() {
    local name=$1 reference=$2 input=$3 configuration=$4 fill=fill_${1//-/_} digest staging
    digest=$(stamp_digest "$(declare -f "$fill")" "$reference" "$configuration" "$input" \
        "$rig_source/images/pack_image.py")
    if stamp_holds "image-$name" "$digest"; then return; fi
    staging=$(mktemp -d "$ADJOINT_RIG/.build.XXXXXX")
    mkdir -p "$staging/root" "$rig_images"
    chmod 755 "$staging/root"
    "$fill" "$staging/root"
    python3 "$rig_source/images/pack_image.py" \
        "$staging/root" "$reference" "$configuration" "$staging/image.tar"
    mv "$staging/image.tar" "$rig_images/$name.tar"
    stamp_write "image-$name" "$digest" "images/$name.tar"
    rm -rf "$staging"
    say "built the image $name"
}

build_images() {
    local version
    version=$(module_version cloudnative-pg github.com/cloudnative-pg/cloudnative-pg)
    image pause localhost/pause:3.10 "$rig_source/images/pause.c" '{"Entrypoint": ["/pause"]}'
    image cloudnative-pg "localhost/cloudnative-pg:$version" "$rig_bin/cnpg-manager" \
        '{"Entrypoint": ["/manager"], "User": "65532:65532", "WorkingDir": "/"}'
    image postgresql localhost/postgresql:15 "$postgres_release" '{"User": "26", "Env": [
        "LANG=C.UTF-8", "PATH=/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin"]}'
}
