/** Addresses below a repository that name one thing by a number, an id or a name, with the sentence for a missing one. */
const named: readonly (readonly [pattern: RegExp, sentence: (name: string) => string])[] = [
  [/^issues\/(\d+)(?:\/|$)/, (number) => `Issue #${number} does not exist in this repository, or you do not have access to it.`],
  [/^pulls\/(\d+)(?:\/|$)/, (number) => `Pull request #${number} does not exist in this repository, or you do not have access to it.`],
  [/^milestone\/(\d+)(?:\/|$)/, (number) => `Milestone ${number} does not exist in this repository, or you do not have access to it.`],
  [/^commit\/([^/]+)(?:\/|$)/, (id) => `Commit ${id} does not exist in this repository.`],
  [/^releases\/tag\/(.+)$/, (tag) => `This repository has no release for the tag ${tag}, or you do not have access to it.`],
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
  if (sought !== undefined) return `This repository has no branch, tag or commit named “${cut(sought)}”.`
  return unnamed.test(message) ? `The page “${cut(rest)}” does not exist in this repository, or you do not have access to it.` : message
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
