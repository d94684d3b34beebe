import { EditForm, TextField } from '#web/index.ts'
import type { PullRow } from '#work/pulls/index.ts'

/** Has a pull request merged into another branch, whose name is typed: asking for all there are would cost each look at the page a statement. */
export function BaseForm({ address, pull }: { address: string; pull: PullRow }) {
  return (
    <details class="menu" name="menu">
      <summary>Edit base</summary>
      <EditForm class="menu-body fields" action={`${address}/base`}>
        <TextField name="base" label="Base branch" value={pull.base_branch} most={1024} isRequired isExact autocomplete="off" />
        <button type="submit">Change base</button>
      </EditForm>
    </details>
  )
}
