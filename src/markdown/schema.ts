import { t } from 'elysia'

/** Longer texts are refused; GitHub takes 400 KB. */
export const MAX_TEXT = 1_048_576

const path = (description: string) => t.Optional(t.String({ maxLength: 4096, description }))
const text = t.Optional(t.String({ maxLength: MAX_TEXT, error: `must be a text of at most ${MAX_TEXT} characters` }))
const place = path('/{owner}/{repo} or /{owner}/{repo}/src/branch/{branch}/{directory}, against which references and relative links are resolved')
const wiki = t.Optional(t.Boolean({ description: 'deprecated: the same as mode wiki' }))

export const MarkdownOption = t.Object(
  { Text: text, Mode: path('markdown, gfm, comment or wiki; default: markdown'), Context: place, Wiki: wiki },
  { $id: 'MarkdownOption' },
)

export const MarkupOption = t.Object(
  {
    Text: text,
    Mode: path('markdown, gfm, comment, wiki or file; file selects the format by file name'),
    Context: place,
    FilePath: path('path of the file in the repository, for mode file'),
    BranchPath: path('branch/{branch}, if the context names no branch'),
    Wiki: wiki,
  },
  { $id: 'MarkupOption' },
)
export type MarkupRequest = typeof MarkupOption.static

/** `text/html`, unlike the rest of the API. */
export const MarkdownRender = t.String({ $id: 'MarkdownRender', description: 'sanitized HTML' })
