/**
 * Settings for servers whose files come from a backup. On the command line, they override the files of the cluster and ALTER
 * SYSTEM, which keep their content. They do not restrict what the database itself contains: functions, and settings of
 * databases and roles.
 */
import { defaultSettings } from './configuration.ts';

/** With these settings, a server runs no command, loads no library of its files, and connects to no other server. */
export function inertSettings(): Record<string, string> {
  return {
    archive_mode: 'off',
    archive_command: '',
    archive_library: '',
    archive_cleanup_command: '',
    recovery_end_command: '',
    restore_command: '',
    primary_conninfo: '',
    primary_slot_name: '',
    synchronous_standby_names: '',
    shared_preload_libraries: defaultSettings().shared_preload_libraries ?? '',
    session_preload_libraries: '',
    local_preload_libraries: '',
    oauth_validator_libraries: '',
    jit: 'off',
    jit_provider: 'llvmjit',
    // A key with a passphrase needs a command.
    ssl: 'off',
    ssl_passphrase_command: '',
  };
}
