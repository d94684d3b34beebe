import type { Sent } from '#kernel/bodies/sent-form.ts'
import { escapeHtml } from './html.ts'

/** Fields whose content nobody who looks over a shoulder is shown. */
const secretField = /pass|secret|token|code|otp|authorization|credential|challenge/i
export function isSecret(name: string): boolean {
  return secretField.test(name)
}

/** What buttons and hidden fields say. */
const saidByPages =
  /^(?:action|allow_maintainer_edit|back|do|event|filter|granted|is_crlf|made_from|merge_when_checks_succeed|pick|react|redirect_to|state|status|style|viewed|view)$/
const saidByMachines = /^(?:true|false|on|-?\d+|[0-9a-f]{40}|[0-9a-f]{64})$/

/** What somebody wrote into a field, or into several of one name. */
export type Words = readonly [name: string, texts: readonly string[]]

/** What of a form somebody wrote, as far as that can be told without its page. */
export function wordsIn(sent: Sent): Words[] {
  return [...sent].flatMap(([name, values]) => {
    if (isSecret(name) || saidByPages.test(name)) return []
    const texts = values.filter((value) => value.trim() !== '' && !saidByMachines.test(value))
    return texts.length === 0 ? [] : [[name, texts] as const]
  })
}

/** Whether there are sentences among them, which nobody would write twice. */
export function areMany(words: readonly Words[]): boolean {
  return words.some(([, texts]) => texts.some((text) => /\S\s+\S/.test(text)))
}

/** A refusal's page with what none of its fields holds of what was written, to be taken along: nothing that somebody wrote is lost. */
export function addTyped(page: string, sent: Sent): string {
  const words = missingFrom(page, wordsIn(sent))
  const end = page.lastIndexOf('</main>')
  return words.length === 0 || end < 0 ? page : page.slice(0, end) + (<Typed words={words} />).text + page.slice(end)
}

function missingFrom(page: string, words: readonly Words[]): Words[] {
  const there = page.replaceAll('\r\n', '\n')
  const isMissing = (text: string) => {
    const escaped = escapeHtml(text).replaceAll('\r\n', '\n')
    return !there.includes(`${escaped}</textarea>`) && !there.includes(`="${escaped}"`)
  }
  return words.map(([name, texts]) => [name, texts.filter(isMissing)] as const).filter(([, texts]) => texts.length > 0)
}

/** Shows the present values of fields that somebody else has changed too, to read and copy. */
export function PresentValues({ words }: { words: readonly Words[] }) {
  return <TextList id="present" title="Current values" words={words} />
}

function Typed({ words }: { words: readonly Words[] }) {
  return <TextList id="typed" title="Your unsaved input" words={words.map(([name, texts]) => [labelOf(name), texts] as const)} />
}

/** @param words under labels */
function TextList({ id, title, words }: { id: string; title: string; words: readonly Words[] }) {
  return (
    <section class="typed" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {words.flatMap(([label, texts]) =>
        texts.map((text) => (
          <label>
            {label}
            <textarea readonly rows={Math.min(12, text.split('\n').length + 1)}>{`\n${text}`}</textarea>
          </label>
        )),
      )}
    </section>
  )
}

/** Fields whose names say little to people. */
const labels = new Map([
  ['body', 'Text'],
  ['content', 'Text'],
  ['merge_title_field', 'Commit title'],
  ['merge_message_field', 'Commit description'],
])

/** What a field is called, as far as its name tells: `new_branch_name` is “New branch name”. */
export function labelOf(name: string): string {
  const words = name.replace(/^form-field-/, '').replaceAll(/[_-]+/g, ' ')
  return labels.get(name) ?? words.charAt(0).toUpperCase() + words.slice(1)
}
