import { ActionButton, SubmitButton, Trouble } from '#web/index.ts'

interface Props {
  /** Where the form goes; what takes the picture away stands below it. */
  address: string
  /** Where the picture is shown; undefined where there is none. */
  picture: string | undefined
  /** Whether it was uploaded, not drawn. */
  isOwn: boolean
  /** Bytes of the largest that is taken. */
  most: number
  error: string | undefined
}

/** The picture of a person, an organization or a repository, and the forms that change it. */
export function PictureFields({ address, picture, isOwn, most, error }: Props) {
  return (
    <>
      {picture !== undefined && <img src={picture} alt="Current avatar" width="128" height="128" />}
      <form class="fields" method="post" action={address} enctype="multipart/form-data">
        <Trouble text={error} />
        <label>
          {`Image (PNG, JPEG, GIF or WebP, at most ${Math.floor(most / 1024)} KiB)`}
          <input type="file" name="attachment" accept="image/png,image/jpeg,image/gif,image/webp" required />
        </label>
        <SubmitButton>Upload avatar</SubmitButton>
      </form>
      {isOwn && (
        <ActionButton action={`${address}/delete`} isDanger>
          Remove avatar
        </ActionButton>
      )}
    </>
  )
}
