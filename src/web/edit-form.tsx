import { sha1Hex } from '#kernel/ids.ts'
import { readForm } from './form-values.ts'
import { type Child, raw } from './html.ts'
import { Fragment } from './jsx-runtime.ts'

/** The hidden field with a digest of each value that a form was made from. */
export const MADE_FROM = 'made_from'

interface Props {
  action: string
  class?: string
  /** Whether the form creates something and replaces nothing. */
  isNew?: boolean
  children?: Child
}

/**
 * A form that replaces what somebody has written before. What others change while it is open is not lost: `settleForm` merges fields that only one side
 * changed, and shows both texts of a field that both changed.
 */
export function EditForm({ action, class: className, isNew = false, children }: Props) {
  const fields = Fragment({ children }).text
  return (
    <form class={className} method="post" action={action}>
      {!isNew && <input type="hidden" name={MADE_FROM} value={digestsOf(fields).join(' ')} />}
      {raw(fields)}
    </form>
  )
}

function digestsOf(fields: string): string[] {
  return [...readForm(`<form>${fields}</form>`, 0)].flatMap(([name, { values }]) => values.map((value) => digestOf(name, value)))
}

export function digestOf(name: string, value: string): string {
  return sha1Hex(`${name}\0${value}`).slice(0, 12)
}
