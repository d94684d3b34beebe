import type { Done } from '#access/index.ts'
import { seeOther } from './answers.ts'
import { ActionButton } from './fields.tsx'
import { Icon } from './icons.ts'
import type { Visit } from './visit.ts'

/**
 * The answer to a form that did what it was asked for: the browser goes on to a page, which says so, once.
 * @param location where to, or how to say that of the visit
 * @param done what was done, as a sentence, with the way to take it back where there is one
 */
export function answerDone(visit: Visit, location: string | ((visit: Visit) => string), done: string | Done): Response {
  visit.leaveNote(typeof done === 'string' ? { text: done } : done)
  return seeOther(typeof location === 'string' ? location : location(visit))
}

/** What the form before this page has done. */
export function DoneNote({ visit }: { visit: Visit }) {
  const done = visit.takeNote()
  return done === undefined ? null : (
    <div class="notice told">
      <Icon visit={visit} name="check" />
      <p role="status">{done.text}</p>
      {done.undo && (
        <ActionButton action={done.undo.action} fields={done.undo.fields}>
          Undo
        </ActionButton>
      )}
    </div>
  )
}
