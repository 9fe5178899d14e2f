/** The text of a systemd unit that runs an instance with few rights. */

/** Values of {@link unitText}. */
export interface UnitOptions {
  /** Name of the service, without `.service`. */
  name: string;
  user: string;
  /** Absolute path of the folder in which the command runs. */
  projectFolder: string;
  /** Absolute path of the folder that the service writes to; it also has private temporary files. */
  dataFolder: string;
  /** Command line of the start: absolute path of Node.js, that of the program, and arguments. */
  command: readonly string[];
  /** Absolute path of an optional file with variables. */
  environmentFile: string;
  /** Whether the service listens on a port below 1024. */
  needsLowPort: boolean;
}

/** Homes of users, which `ProtectHome=yes` hides. */
const HOMES = /^\/(?:home|root|run\/user)(?:\/|$)/;

/** Control characters would end a line of the unit, and a backslash at the end would continue it. */
const NOT_IN_UNIT = /\p{Cc}|\\$/u;

/** Returns the text of the unit. Throws for values that a unit cannot contain. */
export function unitText(options: UnitOptions): string {
  const { name, user, projectFolder, dataFolder, command, environmentFile, needsLowPort } = options;
  const paths = [projectFolder, dataFolder, ...command];
  const wrong = [user, ...paths].find((value) => NOT_IN_UNIT.test(value));
  if (wrong !== undefined)
    throw new Error(
      `${JSON.stringify(wrong)} cannot be part of a systemd unit. Allowed: names and paths without control characters and without a backslash at the end.`,
    );
  const home = paths.some((path) => HOMES.test(path)) ? 'read-only' : 'yes';
  const capability = needsLowPort ? 'CAP_NET_BIND_SERVICE' : '';
  return `# Written by "greenroom service install". Put changes into a drop-in: systemctl edit ${name}
[Unit]
Description=Greenroom instance of ${escaped(projectFolder)}
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
User=${escaped(user)}
WorkingDirectory=${escaped(projectFolder)}
Environment=GREENROOM_LOG_FORMAT=json XDG_STATE_HOME=%S/${name}
EnvironmentFile=-${escaped(environmentFile)}
StateDirectory=${name}
ExecStart=${command.map(argument).join(' ')}
ExecReload=/bin/kill -HUP $MAINPID
# Only the server gets the signal, and shuts PostgreSQL down cleanly.
KillMode=mixed
TimeoutStopSec=60
Restart=on-failure
RestartSec=2
LimitNOFILE=65536

# Files: the data folder is the only one that the service writes to.
UMask=0077
ProtectSystem=strict
ProtectHome=${home}
ReadWritePaths=${quoted(dataFolder)}
PrivateTmp=yes
PrivateDevices=yes
ProtectProc=invisible

# Rights: only those of the user${needsLowPort ? ', and ports below 1024' : ''}.
NoNewPrivileges=yes
CapabilityBoundingSet=${capability}
AmbientCapabilities=${capability}
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictRealtime=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK

# Kernel
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
SystemCallArchitectures=native
SystemCallFilter=~@clock @cpu-emulation @debug @module @mount @obsolete @raw-io @reboot @swap
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

/** A specifier begins with a per cent sign (systemd.unit(5), "Specifiers"). */
function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}

/** systemd.service(5), "Command lines": a dollar sign begins a variable unless it is doubled. */
function argument(text: string): string {
  return quoted(text.replaceAll('$', '$$$$'));
}

/** systemd.syntax(7), "Quoting": in quotes, a backslash escapes. */
function quoted(text: string): string {
  const safe = escaped(text);
  return /^[\w@%+=:,./-]+$/.test(safe) ? safe : `"${safe.replaceAll(/["\\]/g, '\\$&')}"`;
}
