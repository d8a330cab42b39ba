'use strict';
/*
 * Redis, for database.cjs. Without a URL and a login, user and password are REDIS_USERNAME and REDIS_PASSWORD.
 * Values are read as DUMP gives them and put back by RESTORE, in hexadecimal, so that every driver leaves the bytes as
 * they are. A key that lives for a time only gets the time back that it had left when it was last seen with this value.
 */
const READ = `local function hex(s) return (s:gsub('.', function(c) return string.format('%02x', c:byte()) end)) end
local found = redis.call('SCAN', ARGV[1], 'COUNT', 1000)
local keys = {}
for i, key in ipairs(found[2]) do
  local value = redis.call('DUMP', key)
  if value then keys[#keys + 1] = {hex(key), hex(value), redis.call('PTTL', key)} end
end
return {found[1], keys}`;
const WRITE = `local function bytes(s) return (s:gsub('..', function(c) return string.char(tonumber(c, 16)) end)) end
local key = bytes(ARGV[1])
redis.call('DEL', key)
if ARGV[2] ~= '' then redis.call('RESTORE', key, ARGV[3], bytes(ARGV[2])) end
return 0`;

module.exports = async function open(requireOfSut, { driver, url, host, port, database, login }) {
  const { REDIS_USERNAME, REDIS_PASSWORD } = process.env;
  const { send, close } = await clients[driver](requireOfSut(driver), url, {
    place: host.startsWith('/') ? { path: host } : { host, port }, // a socket in the file system, or a port
    database: Number(database),
    username: login.user || REDIS_USERNAME,
    password: login.password || REDIS_PASSWORD,
  });
  const timesLeft = new Map();
  const write = (key, value, timeLeft) => send(['EVAL', WRITE, '0', key, value, String(timeLeft)]);

  return {
    tables: async () => [{ name: 'keys', key: ['key'] }],

    async readRows() {
      const found = [];
      let cursor = '0';
      do {
        const [next, keys] = await send(['EVAL', READ, '0', cursor]);
        for (const [key, value, timeLeft] of keys) {
          const row = `${value}${timeLeft > 0 ? ' for a time' : ''}`;
          if (timeLeft > 0) timesLeft.set(`${key} ${row}`, timeLeft);
          found.push([key, row]);
        }
        cursor = String(next);
      } while (cursor !== '0');
      return found;
    },

    redis: (command) => send(command.map(String)),

    async remove(_, keys) {
      for (const key of keys) await write(key, '', 0);
    },

    putBack: (_, key, row) => write(key, row.split(' ')[0], timesLeft.get(`${key} ${row}`) ?? 0),

    readCounters: async () => null,
    setCounter: async () => {},
    inTransaction: (work) => work(),
    close,
  };
};

/** How each driver connects, sends a command and hangs up. */
const clients = {
  ioredis(exported, url, { place, database, ...user }) {
    const Redis = exported.default ?? exported;
    const client = url ? new Redis(url) : new Redis({ ...place, ...user, db: database });
    return { send: ([name, ...rest]) => client.call(name, ...rest), close: () => client.quit() };
  },

  async redis({ createClient, RedisClient }, url, { place, ...rest }) {
    if (RedisClient) return withCallbacks(createClient(url ? { url } : optionsBefore4(place, rest)));
    const client = createClient(url ? { url } : { socket: place, ...rest });
    client.on('error', () => {}); // commands fail by themselves
    await client.connect();
    return { send: (command) => client.sendCommand(command), close: () => client.quit() };
  },
};

/** Versions 2 and 3, which warn of options that are not set. */
function optionsBefore4(place, { database, username, password }) {
  return { ...place, db: database, ...(username ? { user: username } : {}), ...(password ? { password } : {}) };
}

function withCallbacks(client) {
  client.on('error', () => {}); // commands fail by themselves
  const promised = (run) =>
    new Promise((resolve, reject) => run((error, reply) => (error ? reject(error) : resolve(reply))));
  return {
    send: ([name, ...rest]) => promised((done) => client.send_command(name, rest, done)),
    close: () => promised((done) => client.quit(done)),
  };
}
