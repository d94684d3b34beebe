import { Conflict, Unprocessable } from '#kernel/errors.ts'
import { sha256Hex } from '#kernel/ids.ts'
import { escapeHtml, type Html, raw } from '#web/index.ts'

/** What stands before the words of a task: signs of lists and quotes, and the box. */
const task = /^((?:[\s>]|[-*+][ \t]|\d{1,9}[.)][ \t])*\[)([ xX])(\][ \t\u00a0])/

/**
 * A text with boxes that can be ticked: each is a button of the form, which sends the box's line, what tells that line from others, and
 * whether it is to be ticked.
 * @param shown the text as HTML, whose boxes say their lines
 */
export function withTicks(shown: Html, text: string, form: string): Html {
  const lines = text.split('\n')
  return raw(
    shown.text.replace(/<input type="checkbox"[^<>]*>/g, (box) => {
      const line = Number(/ data-task="(\d+)"/.exec(box)?.[1] ?? Number.NaN)
      const [, before, mark] = task.exec(lines[line] ?? '') ?? []
      if (before === undefined) return box
      const isOn = mark !== ' '
      const value = `${line}.${signOf(lines[line] as string)}.${isOn ? 'off' : 'on'}`
      const about = `name="task" value="${value}" role="checkbox" aria-checked="${isOn}" aria-label="${escapeHtml(wordsOf(lines[line] as string))}"`
      return `<button class="tick" type="submit" form="${escapeHtml(form)}" ${about}></button>`
    }),
  )
}

/**
 * The text with one box as it is asked for. Others may have changed the text meanwhile, and ticked other boxes: what they did stays, and the
 * box is found by its line's words. @throws Conflict when those are gone, or there twice; Unprocessable for what no page of ours sends
 */
export function tick(text: string, asked: string): string {
  const [, number, sign, state] = /^(\d{1,6})\.([0-9a-f]{16})\.(on|off)$/.exec(asked) ?? []
  if (number === undefined || sign === undefined) throw new Unprocessable(`[task]: invalid checkbox reference “${asked}”`)
  const lines = text.split('\n')
  const line = isTask(lines[Number(number)], sign) ? Number(number) : movedTo(lines, sign)
  lines[line] = (lines[line] as string).replace(task, (_, before: string, __, behind: string) => `${before}${state === 'on' ? 'x' : ' '}${behind}`)
  return lines.join('\n')
}

function movedTo(lines: readonly string[], sign: string): number {
  const found = lines.flatMap((line, i) => (isTask(line, sign) ? [i] : []))
  if (found.length !== 1) throw new Conflict('The text has changed. Reload the page and try again.')
  return found[0] as number
}

function isTask(line: string | undefined, sign: string): boolean {
  return line !== undefined && task.test(line) && signOf(line) === sign
}

/** The same whether or not the box is ticked. */
function signOf(line: string): string {
  return sha256Hex(line.replace(task, '$1 $3')).slice(0, 16)
}

function wordsOf(line: string): string {
  return line.replace(task, '').trim().slice(0, 200) || 'task'
}
