#!/bin/sh
# Opens the report of a played demo in headless Chromium, from disk, in both
# languages: nothing may be refused by its policy, nothing is fetched, and a
# picture of each is written to $OUT (default: a new folder, which is printed).
set -eu
cd "$(dirname "$0")/../../../.."
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
	echo "make test-report: it needs Chromium (Debian: chromium)" >&2
	exit 1
}
out=${OUT:-$(mktemp -d)}
mkdir -p "$out"
FABULA_REPORT_OUT="$out/en.html" ${GO:-go} test -count 1 -run TestReportOfThePlayedDemo ./story/export/qa >/dev/null
sed -e 's/ id="lang-en" checked/ id="lang-en"/' -e 's/ id="lang-zh"/ id="lang-zh" checked/' "$out/en.html" >"$out/zh.html"
# A page whose policy is broken must be complained of, else the check is blind.
sed 's/<style>/<style>p{color:red}/' "$out/en.html" >"$out/broken.html"
shoot() {
	"$browser" --headless=new --no-sandbox --disable-gpu --disable-background-networking --user-data-dir="$out/profile" \
		--host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr --hide-scrollbars --window-size=1100,2200 \
		--screenshot="$out/$1.png" "file://$out/$1.html" >"$out/$1.log" 2>&1
}
for lang in en zh; do
	shoot $lang
	if grep -E 'CONSOLE|Content Security Policy' "$out/$lang.log"; then
		echo "make test-report: the browser complains of $lang.html" >&2
		exit 1
	fi
	[ -s "$out/$lang.png" ] || { echo "make test-report: no picture of $lang.html" >&2; exit 1; }
done
shoot broken
grep -q 'Content Security Policy' "$out/broken.log" || { echo "make test-report: the browser says nothing of a broken policy" >&2; exit 1; }
echo "report.html opens without a complaint in both languages; pictures in $out"
