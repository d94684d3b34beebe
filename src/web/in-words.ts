/** Words that messages of the API begin with; anything else may be somebody's name, which stays as it is written. */
const begins =
  /^(?:a|access|an|approve|badge|both|branch|can|cannot|collaborator|comment|commit|doer|e-mail|email|expected|fast-forward|file|head|invalid|issue|issues|it|key|label|labels|lines|login|merge|milestone|must|name|no|not|object|only|organization|password|path|poster|pull|query|ref|reject|release|repo|repository|review|reviewer|sha|tag|target|team|the|there|this|time|token|too|two|unknown|unsupported|update|user|webhook|wiki|write|you)\b/

/** The field of the body that is meant; on a page it stands beside the words. */
const field = /^\[\w+\]: /
/** What messages add for programs in brackets, at their end: `[name: ada]`, `[org_id: 3, name: core]`. */
const added = /^(?<told>.*\S) \[(?<facts>\w+: [^\]]*)\]$/s
/** Of that, what the person has typed; the rest are ids. */
const typed = /(?:^|, )(?:name|title|slug|email|path|tag_name|uname): (.*?)(?=, \w+: |$)/gs

/** A message of the API, as it stands on a page: `user already exists [name: ada]` is “User already exists: ada”. */
export function inWords(message: string): string {
  const said = message.replace(field, '').replace(/^user redirect /, 'user ')
  const { told = said, facts = '' } = added.exec(said)?.groups ?? {}
  const values = [...facts.matchAll(typed)].map(([, value]) => value)
  const words = values.length === 0 ? told : `${told}: ${values.join(', ')}`
  return words.replace(begins, (word) => word.charAt(0).toUpperCase() + word.slice(1))
}
