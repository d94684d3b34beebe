/** What every file of tests begins with; named in bunfig.toml. */
import './file-costs.ts'
import './cheap-passwords.ts'
import './no-collections.ts'
import './reused-threads.ts'
