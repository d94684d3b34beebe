import type { RE2JS } from 're2js'
import type { HeuristicRule, LinguistData } from './linguist-data.ts'

/** A compiled rule. */
interface Rule {
  languages: readonly string[]
  holds(text: string): boolean
}

const compiledOf = new WeakMap<LinguistData, Map<string, readonly Rule[]>>()

/**
 * The languages that Linguist's rules for an extension find in a file's text; undefined where no rule does, or there are none.
 * Texts are anybody's, so the patterns run as RE2's, in linear time; those few that RE2 cannot run count for nothing, as in go-enry.
 */
export function decide(data: LinguistData, extension: string, text: string): readonly string[] | undefined {
  const known = compiledOf.getOrInsertComputed(data, () => new Map())
  const rules = known.getOrInsertComputed(extension, () => (data.heuristics.get(extension) ?? []).map((rule) => compile(data, rule)))
  return rules.find((rule) => rule.holds(text))?.languages
}

function compile(data: LinguistData, rule: HeuristicRule): Rule {
  return { languages: [rule.language].flat(), holds: testOf(data, rule) }
}

function testOf(data: LinguistData, rule: Omit<HeuristicRule, 'language'>): Rule['holds'] {
  if (rule.and) {
    const tests = rule.and.map((one) => testOf(data, one))
    return (text) => tests.every((holds) => holds(text))
  }
  if (rule.negative_pattern !== undefined) {
    const patterns = [rule.negative_pattern].flat().flatMap(compiled)
    return (text) => !patterns.some((pattern) => pattern.test(text))
  }
  const sources = rule.pattern ?? (rule.named_pattern === undefined ? undefined : data.namedPatterns[rule.named_pattern])
  if (sources === undefined) return () => true
  const patterns = [sources].flat().flatMap(compiled)
  return (text) => patterns.some((pattern) => pattern.test(text))
}

function compiled(source: string): RE2JS[] {
  // Loaded with the first rule that is needed.
  const { RE2JS: Re2 }: typeof import('re2js') = require('re2js')
  try {
    return [Re2.compile(source, Re2.MULTILINE)]
  } catch {
    return []
  }
}
