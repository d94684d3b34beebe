/** Addresses below a repository that name one thing by a number, an id or a name, with the sentence for a missing one. */
const named: readonly (readonly [pattern: RegExp, sentence: (name: string) => string])[] = [
  [/^issues\/(\d+)(?:\/|$)/, (number) => `This repository has no issue #${number}, or you may not see it.`],
  [/^pulls\/(\d+)(?:\/|$)/, (number) => `This repository has no pull request #${number}, or you may not see it.`],
  [/^milestone\/(\d+)(?:\/|$)/, (number) => `This repository has no milestone ${number}, or you may not see it.`],
  [/^commit\/([^/]+)(?:\/|$)/, (id) => `This repository has no commit ${id}.`],
  [/^releases\/tag\/(.+)$/, (tag) => `This repository has no release of a tag ${tag}, or you may not see it.`],
]

/** The API's message for a missing revision, in Gitea's words. */
const revision = /^object does not exist \[id: (.+), rel_path: \]$/
/** Error messages that do not say what is missing. */
const unnamed = /^not found$/i
const MAX_SHOWN = 200

/**
 * Says what is missing below a repository that the viewer may see.
 * @param rest of the address, behind the repository's name
 * @param message of the problem, which counts where the address alone does not tell
 */
export function missingIn(rest: string, message: string): string {
  for (const [pattern, sentence] of named) {
    const [, name] = pattern.exec(rest) ?? []
    if (name !== undefined) return sentence(cut(name))
  }
  const [, sought] = revision.exec(message) ?? []
  if (sought !== undefined) return `This repository has no branch, tag or commit “${cut(sought)}”.`
  return unnamed.test(message) ? `This repository has nothing at “${cut(rest)}”, or you may not see it.` : message
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
