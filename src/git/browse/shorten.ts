import type { Commit } from '../objects/commit.ts'
import type { Ident } from '../objects/ident.ts'
import type { Tag } from '../objects/tag.ts'

/** As much of a message is told: a few bytes of a pack can come to megabytes. */
const MAX_MESSAGE = 65_536
/** And of the messages of one list together. */
const MAX_MESSAGES = 1024 * 1024
const MAX_NAME = 1024
const MAX_PARENTS = 1000
/** Of one list together; a merge in it shows a hundred all the same. */
const MAX_LISTED_PARENTS = 5000
const FEW_PARENTS = 100
/** Of what is larger, the parts that are told are copied: a text that was cut out of another keeps all of that alive. */
const MAX_SHARED = 16_384
/** A signature of more, or of a commit of more, is not looked at. */
const MAX_SIGNATURE = 65_536
const MAX_SIGNED = 65_536 + MAX_SIGNATURE

/** What is told of a commit to people and programs that ask what it says; git hands out the whole. @param size of the commit, in bytes @param among how many it is listed */
export function shortenCommit({ extra: _, gpgsig, encoding, ...commit }: Commit, size: number, among = 1): Commit {
  const isSigned = gpgsig !== undefined && isVerifiable(gpgsig, size)
  const told = {
    ...commit,
    ...(isSigned ? { gpgsig } : {}),
    ...(encoding === undefined ? {} : { encoding: cut(encoding, MAX_NAME) }),
    parents: commit.parents.slice(0, Math.max(FEW_PARENTS, Math.min(MAX_PARENTS, MAX_LISTED_PARENTS / among))),
    author: shortenIdent(commit.author),
    committer: shortenIdent(commit.committer),
    message: shortenMessage(commit.message, among),
  }
  return size > MAX_SHARED ? structuredClone(told) : told
}

/** The same of an annotated tag. */
export function shortenTag({ signature, tagger, ...tag }: Tag, size: number, among = 1): Tag {
  const isSigned = signature !== undefined && isVerifiable(signature, size)
  const told = {
    ...tag,
    ...(isSigned ? { signature } : {}),
    ...(tagger === undefined ? {} : { tagger: shortenIdent(tagger) }),
    name: cut(tag.name, MAX_NAME),
    message: shortenMessage(tag.message, among),
  }
  return size > MAX_SHARED ? structuredClone(told) : told
}

function isVerifiable(signature: string, size: number): boolean {
  return signature.length <= MAX_SIGNATURE && size <= MAX_SIGNED
}

function shortenIdent(ident: Ident): Ident {
  return { ...ident, name: cut(ident.name, MAX_NAME), email: cut(ident.email, MAX_NAME) }
}

/** @param among how many it is listed */
function shortenMessage(message: string, among = 1): string {
  const most = Math.min(MAX_MESSAGE, Math.floor(MAX_MESSAGES / among))
  return message.length <= most ? message : `${cut(message, most)}…\n`
}

/** The first line of what a commit says. */
export function subjectOf(message: string): string {
  const line = cut(message.trimStart().split('\n', 1)[0] as string, MAX_NAME)
  return message.length > MAX_SHARED ? structuredClone(line) : line
}

/** Not within a character. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
