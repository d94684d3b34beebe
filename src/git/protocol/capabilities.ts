import type { RefSnapshot } from './context.ts'
import { findHeadRef } from './context.ts'

/** Sources: `Documentation/gitprotocol-v2.txt`, `Documentation/gitprotocol-capabilities.txt`. */

const FETCH_FEATURES = ['shallow', 'wait-for-done', 'filter', 'ref-in-want', 'sideband-all']

/** What a protocol v2 server says before the client speaks, one packet each, without newlines. */
export function v2Capabilities(agent: string): string[] {
  return [`agent=${agent}`, 'ls-refs=unborn', `fetch=${FETCH_FEATURES.join(' ')}`, 'server-option', 'object-format=sha1', 'object-info']
}

const v0Features = [
  'multi_ack',
  'thin-pack',
  'side-band',
  'side-band-64k',
  'ofs-delta',
  'shallow',
  'deepen-since',
  'deepen-not',
  'deepen-relative',
  'no-progress',
  'include-tag',
  'multi_ack_detailed',
  'allow-tip-sha1-in-want',
  'allow-reachable-sha1-in-want',
]

/** What follows the NUL of the first ref in protocols v0 and v1. `no-done` makes sense only where each request is a connection of its own. */
export function v0Capabilities(refs: RefSnapshot, agent: string, stateless: boolean): string {
  const noDone = stateless ? ['no-done'] : []
  const symref = findHeadRef(refs) ? [`symref=HEAD:${refs.head?.target}`] : []
  return [...v0Features, ...noDone, ...symref, 'filter', 'object-format=sha1', `agent=${agent}`].join(' ')
}

/** Capabilities as a client sends them: names, some with a value after `=`. Later ones win. */
export function parseCapabilities(words: Iterable<string>): Map<string, string> {
  const found = new Map<string, string>()
  for (const word of words) {
    if (word === '') continue
    const equals = word.indexOf('=')
    if (equals < 0) found.set(word, '')
    else found.set(word.slice(0, equals), word.slice(equals + 1))
  }
  return found
}
