/** A name like `delete_inactive_accounts`, which a narrow column breaks between its words and not within them. */
export function KeyName({ name }: { name: string }) {
  const words = name.split('_')
  return <>{words.map((word, i) => (i === 0 ? word : ['_', <wbr />, word]))}</>
}
