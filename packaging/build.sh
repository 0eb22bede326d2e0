#!/usr/bin/env bash
# Makes a Debian package and a tarball of a program, and prints their names: packaging/build.sh PROGRAM FOLDER [SYSTEST]
# With SYSTEST, a program with all mutants, it also makes a tarball for instructors: that program, the rules and the scripts of all games.
# The same program gives the same bytes: times are those of SOURCE_DATE_EPOCH.
set -euo pipefail
program=$(realpath "$1")
systest=${3:+$(realpath "$3")}
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")"

export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' ../Cargo.toml)
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

# A configuration of the program itself: what is not set is a comment with its default.
configuration() {
    env -i "$program" host --store /var/lib/holdfast/games.db --print-config
}

# The files of both packages below a folder: files ROOT BIN SHARE DOC CONFIG UNIT
files() {
    local root=$1 bin=$2 share=$3 doc=$4 config=$5 unit=$6
    install -D -m 755 "$program" "$root/$bin/holdfast"
    strip --strip-all "$root/$bin/holdfast"
    env -i "$program" man "$root/$share/man/man1" >/dev/null
    gzip -9n "$root/$share/man/man1"/*
    local completions=$root/$share/bash-completion/completions
    mkdir -p "$completions" "$root/$share/zsh/vendor-completions" "$root/$share/fish/vendor_completions.d"
    env -i "$program" completions bash >"$completions/holdfast"
    env -i "$program" completions zsh >"$root/$share/zsh/vendor-completions/_holdfast"
    env -i "$program" completions fish >"$root/$share/fish/vendor_completions.d/holdfast.fish"
    install -D -m 644 holdfast.service "$root/$unit/holdfast.service"
    install -D -m 644 alerts.yml "$root/$doc/alerts.yml"
    install -D -m 644 dashboard.json "$root/$doc/dashboard.json"
    for page in configuration operations security tls; do
        install -D -m 644 "../docs/$page.md" "$root/$doc/$page.md"
    done
    cat ../LICENSE-MIT ../LICENSE-APACHE >"$root/$doc/copyright"
    mkdir -p "$root/$config"
    configuration >"$root/$config/host.toml"
}

debian=$work/debian
files "$debian" usr/bin usr/share usr/share/doc/holdfast etc/holdfast lib/systemd/system
mkdir -p "$debian/DEBIAN"
cat >"$debian/DEBIAN/control" <<END
Package: holdfast
Version: $version
Architecture: $architecture
Maintainer: Holdfast <holdfast@localhost>
Depends: libc6 (>= $(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)), libgcc-s1
Section: games
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$debian" | cut -f 1)
Description: hosts multiplayer games as pure folds over an append-only log
 A host keeps every game in a log, continues all games after a crash, and serves
 pages to watch and to play. Enable it with: systemctl enable --now holdfast
END
echo /etc/holdfast/host.toml >"$debian/DEBIAN/conffiles"
# The service is not started by itself: an operator looks at its configuration first. An upgrade restarts it if it runs.
cat >"$debian/DEBIAN/postinst" <<'END'
#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    if [ -n "$2" ]; then systemctl try-restart holdfast.service; fi
fi
END
cat >"$debian/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl disable --now holdfast.service
fi
END
# Games stay in /var/lib/holdfast, also after a purge.
cat >"$debian/DEBIAN/postrm" <<'END'
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
END
chmod 755 "$debian/DEBIAN"/{postinst,prerm,postrm}
package=holdfast_${version}_$architecture.deb
# Tests want a quick one.
: "${PACKAGE_COMPRESSION:=-Zxz}"
# shellcheck disable=SC2086  # words
dpkg-deb --root-owner-group $PACKAGE_COMPRESSION --build "$debian" "$folder/$package" >/dev/null
echo "$package"

name=holdfast-$version-linux-$(uname -m)
files "$work/$name" bin share doc etc systemd
install -m 644 Containerfile "$work/$name/Containerfile"

# Packs a folder of $work: pack NAME
pack() {
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -cf - "$1" | gzip "${PACKAGE_LEVEL:--9}" -n >"$folder/$1.tar.gz"
    echo "$1.tar.gz"
}
pack "$name"

if [ -n "$systest" ]; then
    suite=holdfast-systest-$version-linux-$(uname -m)
    install -D -m 755 "$systest" "$work/$suite/bin/systest"
    strip --strip-all "$work/$suite/bin/systest"
    (cd .. && for scripts in games/*/scripts; do
        mkdir -p "$work/$suite/$scripts"
        cp -r "$scripts/." "$work/$suite/$scripts"
        install -D -m 644 "${scripts%scripts}RULES.md" "$work/$suite/${scripts%scripts}RULES.md"
    done)
    for page in grading mutants put-your-server-under-test writing-system-tests; do
        install -D -m 644 "../docs/$page.md" "$work/$suite/docs/$page.md"
    done
    cat ../LICENSE-MIT ../LICENSE-APACHE >"$work/$suite/copyright"
    pack "$suite"
fi
