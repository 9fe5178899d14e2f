/** Settings of functions, with the limits of the hosted service. */
import {
  booleanSetting,
  type ConfigOf,
  defineSettings,
  enumSetting,
  integerSetting,
  listSetting,
  textSetting,
  thousands,
  urlSetting,
} from '@greenroom/config';
import { z } from 'zod';

const MEBIBYTE = 1024 * 1024;

/** Those from which Deno downloads modules unless it is configured, without JSR. */
const IMPORT_HOSTS =
  'deno.land,esm.sh,raw.esm.sh,cdn.jsdelivr.net,raw.githubusercontent.com,gist.githubusercontent.com';

/** Settings of functions. */
export const functionsSettings = defineSettings({
  title: 'Functions',
  tree: {
    memoryBytes: integerSetting('GREENROOM_FUNCTIONS_MEMORY_MB', 32, 65_536, {
      default: '256',
      description: 'Maximum memory of the process of a function, in MiB, in addition to that of the runtime.',
    }).map((mebibytes) => mebibytes * MEBIBYTE),
    diskBytes: integerSetting('GREENROOM_FUNCTIONS_DISK_MB', 16, 1_048_576, {
      default: '512',
      description: 'Maximum size of the files that the process of a function has written, in MiB.',
    }).map((mebibytes) => mebibytes * MEBIBYTE),
    cpuMs: integerSetting('GREENROOM_FUNCTIONS_CPU_MS', 10, 3_600_000, {
      default: '2000',
      description: 'Maximum processor time of a request, in milliseconds.',
    }),
    lifeMs: integerSetting('GREENROOM_FUNCTIONS_LIFETIME_SECONDS', 1, 86_400, {
      default: '400',
      description: 'Time after which the process of a function is replaced, in seconds.',
    }).map(thousands),
    responseMs: integerSetting('GREENROOM_FUNCTIONS_RESPONSE_SECONDS', 1, 3600, {
      default: '150',
      description: 'Time within which a response must begin, in seconds.',
    }).map(thousands),
    idleMs: integerSetting('GREENROOM_FUNCTIONS_IDLE_SECONDS', 1, 86_400, {
      default: '60',
      description: 'Time without requests after which the process of a function ends, in seconds.',
    }).map(thousands),
    maxBodyBytes: integerSetting('GREENROOM_FUNCTIONS_MAX_BODY_MB', 1, 10_000, {
      default: '100',
      description: 'Maximum size of the body of a request, in MiB.',
    }).map((mebibytes) => mebibytes * MEBIBYTE),
    maxWorkers: integerSetting('GREENROOM_FUNCTIONS_MAX_PROCESSES', 1, 10_000, {
      default: '32',
      description:
        'Maximum number of processes of all functions. Beyond it, one without requests makes room for another.',
    }),
    maxRequests: integerSetting('GREENROOM_FUNCTIONS_MAX_REQUESTS', 1, 100_000, {
      default: '1000',
      description: 'Maximum number of requests to functions that run at once.',
    }),
    maxRequestsPerClient: integerSetting('GREENROOM_FUNCTIONS_PER_CLIENT_REQUESTS', 1, 100_000, {
      default: '100',
      description: 'Maximum number of requests of one client to functions that run at once.',
    }),
    preparesAhead: booleanSetting('GREENROOM_FUNCTIONS_PREPARE_AHEAD', {
      default: 'true',
      description:
        'Whether functions are prepared after the start of the server and after changes of their files, not only by their first requests.',
    }),
    keptVersions: integerSetting('GREENROOM_FUNCTIONS_KEPT_VERSIONS', 1, 1000, {
      default: '10',
      description: 'Number of versions of a deployed function that are kept, e.g. to return to one.',
    }),
    downloads: {
      jsrUrl: urlSetting('GREENROOM_FUNCTIONS_JSR_URL', {
        default: undefined,
        description:
          'Registry from which `jsr:` imports of functions come, e.g. a mirror. Without it, `JSR_URL` counts, then `https://jsr.io`.',
      }),
      npmRegistry: urlSetting('GREENROOM_FUNCTIONS_NPM_REGISTRY', {
        default: undefined,
        description:
          'Registry of npm packages that are not installed. Without it, `NPM_CONFIG_REGISTRY` counts, then `https://registry.npmjs.org`.',
      }),
      importHosts: listSetting(
        'GREENROOM_FUNCTIONS_IMPORT_HOSTS',
        'host names such as esm.sh or modules.example.com:8443, separated by commas',
        {
          default: IMPORT_HOSTS,
          description:
            'Hosts from which functions may import modules by URL. The port is 443 if none is named.',
        },
        z.string().regex(/^[\w.-]+(?::\d{1,5})?$/),
      ),
      caFile: textSetting('GREENROOM_FUNCTIONS_CA_FILE', 'the path of a file', {
        default: undefined,
        description:
          'Certificates (PEM) of authorities that are trusted by downloads for functions, in addition to those of the system. Without it, `DENO_CERT` and `NODE_EXTRA_CA_CERTS` count.',
      }),
      limits: {
        maxBytes: integerSetting('GREENROOM_FUNCTIONS_DOWNLOAD_MB', 1, 1_048_576, {
          default: '512',
          description: 'Maximum size of all modules and packages that a function downloads, in MiB.',
        }).map((mebibytes) => mebibytes * MEBIBYTE),
        maxFileBytes: integerSetting('GREENROOM_FUNCTIONS_DOWNLOAD_FILE_MB', 1, 1_048_576, {
          default: '64',
          description:
            'Maximum size of one module or one file of a package that a function downloads, in MiB.',
        }).map((mebibytes) => mebibytes * MEBIBYTE),
        timeoutMs: integerSetting('GREENROOM_FUNCTIONS_DOWNLOAD_SECONDS', 1, 3600, {
          default: '120',
          description:
            'Time within which the download of modules and packages of a function must end, in seconds.',
        }).map(thousands),
      },
    },
    models: {
      host: urlSetting('GREENROOM_FUNCTIONS_AI_URL', {
        default: undefined,
        description:
          'Host of the models of `Supabase.ai.Session`, with the protocol of OpenAI or Ollama, e.g. `http://127.0.0.1:11434` or `https://models.example.com/v1`. It may have a private address.',
      }),
      key: textSetting('GREENROOM_FUNCTIONS_AI_KEY', 'a key', {
        default: undefined,
        description: 'Key of the host of models. The server adds it to requests; functions do not see it.',
        secret: true,
      }),
      embeddingModel: textSetting('GREENROOM_FUNCTIONS_AI_EMBEDDING_MODEL', 'the name of a model', {
        default: 'gte-small',
        description: 'Name of the model of embeddings on the host of models. Functions call it `gte-small`.',
      }),
    },
    inspector: {
      /** Name of the function to inspect. */
      function: textSetting('GREENROOM_FUNCTIONS_INSPECT', 'the name of a function', {
        default: undefined,
        description:
          'Function whose process has an inspector, e.g. for the debugger of an editor. It has no limits of time then.',
      }),
      mode: enumSetting('GREENROOM_FUNCTIONS_INSPECT_MODE', ['run', 'brk', 'wait'], {
        default: 'run',
        description:
          'When the inspected function runs: at once, after a debugger connects (`wait`), or until its first line then (`brk`).',
      }),
      port: integerSetting('GREENROOM_FUNCTIONS_INSPECTOR_PORT', 1, 65_535, {
        default: '8083',
        configKey: 'edge_runtime.inspector_port',
        description: 'Port of the inspector on 127.0.0.1.',
      }),
    },
    servesMarkup: booleanSetting('GREENROOM_FUNCTIONS_SERVE_HTML', {
      default: 'false',
      description:
        'Whether HTML, SVG and XML of functions are sent as such. They have the origin of the app: set this only if every function is trusted with its sessions.',
    }),
    privateNetworks: listSetting(
      'GREENROOM_FUNCTIONS_PRIVATE_NETWORKS',
      'addresses and networks of IPv4 such as 10.1.2.3 or 10.0.0.0/8, separated by commas',
      {
        default: '',
        description:
          'Networks that functions may reach although they are private. The API of the instance is always reachable.',
      },
      z.union([z.ipv4(), z.cidrv4()]),
    ),
    allowsIpv6: booleanSetting('GREENROOM_FUNCTIONS_IPV6', {
      default: 'false',
      description:
        'Whether functions may connect by IPv6. Its private networks are not refused then; on Linux, IPv6 is closed without this.',
    }),
  },
  complete: (values) => values,
});

/** Configuration of functions. */
export type FunctionsConfig = ConfigOf<typeof functionsSettings>;
