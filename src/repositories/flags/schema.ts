import { t } from 'elysia'

/** What a flag may be called. It is compared as it stands, letter case and all. */
const Flag = t.String({
  pattern: '^[A-Za-z0-9][-.:_A-Za-z0-9]{0,99}$',
  error: 'must start with a letter or digit, followed by up to 99 letters, digits, "-", ".", ":" or "_"',
})

export const FlagList = t.Array(t.String())
export const FlagName = Flag
export const ReplaceFlagsOption = t.Object(
  { flags: t.Optional(t.Array(Flag, { maxItems: 100, error: 'at most 100 flags are allowed' })) },
  { $id: 'ReplaceFlagsOption' },
)
