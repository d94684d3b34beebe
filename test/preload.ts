/** Every file of tests begins with these imports, because bunfig.toml names this file. */
import './file-costs.ts'
import './cheap-passwords.ts'
import './no-collections.ts'
import './reused-threads.ts'
