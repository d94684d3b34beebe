import { countText } from '#web/index.ts'
import { type CommentCard, TextField } from '#work/threads/index.ts'
import { HunkLines } from './hunk.tsx'
import { BackField } from './line-form.tsx'
import { MOST_OF_TALK, placeOf, type Talk } from './talks.ts'

export interface TalkProps {
  /** Of the pull request. */
  address: string
  talk: Talk
  /** Of its comments, by their ids. */
  cards: ReadonlyMap<number, CommentCard>
  /** Where it is shown: in the files it stands below its line. */
  at: 'conversation' | 'files'
  /** The address of the page of files that it is on. */
  page?: string
  mayReply: boolean
  mayResolve: boolean
  /** Who said that it is over. */
  resolver: string | undefined
}

/** A conversation about a line. One that is over is folded. */
export function TalkView(props: TalkProps) {
  const { talk, at, resolver } = props
  const isResolved = talk.first.resolver_id !== null
  const outdated = talk.first.is_outdated === 1 && <span class="mark">Outdated</span>
  return (
    <section class="talk" aria-label={`Conversation about ${placeOf(talk.first)}`}>
      {isResolved ? (
        <details>
          <summary>
            {at === 'conversation' ? placeOf(talk.first) : 'Conversation'} <span class="mark">Resolved</span>
            {outdated} <span class="faint">{`by ${resolver ?? 'Ghost'}`}</span>
          </summary>
          <TalkBody {...props} />
        </details>
      ) : (
        <>
          {at === 'conversation' && (
            <p class="place">
              <PlaceLink {...props} /> {outdated}
            </p>
          )}
          <TalkBody {...props} />
        </>
      )}
    </section>
  )
}

/** To its line among the files, as long as that is there. */
function PlaceLink({ address, talk: { first } }: TalkProps) {
  const words = placeOf(first)
  return first.is_outdated === 1 ? <code>{words}</code> : <a href={`${address}/files#issuecomment-${first.id}`}>{words}</a>
}

function TalkBody(props: TalkProps) {
  const { address, talk, cards, at, mayReply, mayResolve } = props
  const isResolved = talk.first.resolver_id !== null
  const isSent = talk.first.type === 'code'
  return (
    <>
      {at === 'conversation' && isResolved && talk.first.is_outdated === 0 && (
        <p class="place">
          <PlaceLink {...props} />
        </p>
      )}
      {at === 'conversation' && talk.first.hunk !== '' && <HunkLines hunk={talk.first.hunk} />}
      {talk.comments.slice(0, MOST_OF_TALK).map(({ id }) => cards.get(id)?.card)}
      {talk.comments.length > MOST_OF_TALK && (
        <p>
          <a href={`${address}/remarks?of=${talk.first.id}&page=2`}>{`Show ${countText(talk.comments.length - MOST_OF_TALK, 'more comment')}`}</a>
        </p>
      )}
      {isSent && (mayReply || mayResolve) && (
        <div class="buttons">
          {mayResolve && <ResolveForm {...props} isResolved={isResolved} />}
          {mayReply && <ReplyForm {...props} />}
        </div>
      )}
    </>
  )
}

function ResolveForm({ address, talk: { first }, at, page, isResolved }: TalkProps & { isResolved: boolean }) {
  return (
    <form method="post" action={`${address}/comments/${first.id}/resolve`}>
      <input type="hidden" name="from" value={at} />
      {page !== undefined && <BackField page={page} />}
      <button type="submit" name="action" value={isResolved ? 'unresolve' : 'resolve'} aria-label={`${verbOf(isResolved)}: ${placeOf(first)}`}>
        {verbOf(isResolved)}
      </button>
    </form>
  )
}

function verbOf(isResolved: boolean): string {
  return isResolved ? 'Unresolve conversation' : 'Resolve conversation'
}

function ReplyForm({ address, talk: { first }, at, page }: TalkProps) {
  return (
    <details>
      <summary class="button">Reply</summary>
      <form class="fields" method="post" action={`${address}/comments/${first.id}/replies`}>
        <input type="hidden" name="from" value={at} />
        {page !== undefined && <BackField page={page} />}
        <TextField text="" label="Reply" rows={3} />
        <div>
          <button class="primary" type="submit">
            Reply
          </button>
        </div>
      </form>
    </details>
  )
}
