/** The options of all commands of services. */
export const SERVICE_OPTIONS = {
  name: { value: 'name', default: 'greenroom', summary: 'Name of the service' },
  folder: {
    value: 'path',
    default: '/etc/systemd/system',
    summary: 'Folder of units',
  },
} as const;
