# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion for bash: heddle itself says which words fit; where it names none, files do.
_heddle() {
  local current="${COMP_WORDS[COMP_CWORD]}"
  local words
  words="$("${COMP_WORDS[0]}" complete-words "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o bashdefault -o default -F _heddle heddle
