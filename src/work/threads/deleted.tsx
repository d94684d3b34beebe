import { ActionButton, Icon, Time, type Visit } from '#web/index.ts'
import type { DeletedComment } from '#work/comments/index.ts'

/** Where a comment stood that was deleted: who may bring it back sees a line there, for a while. @param address of the issue */
export function Deleted({ visit, address, deleted, self }: { visit: Visit; address: string; deleted: DeletedComment; self: string | undefined }) {
  const { id, key, author, by, deletedAt, until, mayRestore, mayForget } = deleted
  return (
    <div class="happening" id={`deleted-${id}`}>
      <span class="sign">
        <Icon visit={visit} name="trash" />
      </span>
      <p>
        {by === null ? 'A deleted user' : by === self ? 'You' : <a href={visit.to`/${by}`}>{by}</a>}
        {` deleted ${whose(author, by, self)} `}
        <Time at={deletedAt} />
        {'. '}
        {mayRestore ? 'You can restore it until ' : 'It can be restored until '}
        <time datetime={new Date(until * 1000).toISOString()}>{new Date(until * 1000).toISOString().slice(0, 10)}</time>
        {'.'}
      </p>
      <div class="buttons">
        {mayRestore && <ActionButton action={`${address}/deleted/${key}/restore`}>Restore</ActionButton>}
        {mayForget && (
          <ActionButton action={`${address}/deleted/${key}/forget`} isDanger>
            Delete permanently
          </ActionButton>
        )}
      </div>
    </div>
  )
}

function whose(author: string | null, by: string | null, self: string | undefined): string {
  if (author === null) return 'a comment'
  if (author === self) return by === self ? 'a comment' : 'your comment'
  return author === by ? 'their own comment' : `a comment by ${author}`
}
