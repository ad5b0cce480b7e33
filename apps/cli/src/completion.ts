import type { Command } from './command.ts';

export const shells = ['bash', 'zsh'] as const;

const wordsOf = ({ options = [], choices = [] }: Command) =>
  [...choices, '--help', ...options.map(({ name }) => `--${name}`)].join(' ');

/** Commands and their options, for bash; zsh takes it with bashcompinit. */
function completeBash(commands: readonly Command[]): string {
  const cases = commands.map((command) => `    ${command.name}) words="${wordsOf(command)}" ;;`);
  return `_pult() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _pult pult
`;
}

export function writeCompletion(shell: (typeof shells)[number], commands: readonly Command[]): string {
  const script = completeBash(commands);
  return shell === 'bash' ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
}
