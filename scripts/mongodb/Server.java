import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * Starts the server on a port that is free, says which, and runs until its standard input ends. With an argument it is reached by a socket of
 * that path as well.
 */
class Server {
  /** Protocol and all: drivers of today speak with no older one. */
  private static final MongoVersion VERSION =
      new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
          return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
          return 13;
        }
      };

  public static void main(String[] args) throws Exception {
    var server = new MongoServer(new MemoryBackend().version(VERSION));
    var address = server.bind();
    if (args.length > 0) {
      var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(args[0]));
      inBackground(
          () -> {
            while (true) {
              var client = listener.accept();
              var there = SocketChannel.open(address);
              inBackground(() -> relay(client, there));
              inBackground(() -> relay(there, client));
            }
          });
    }
    System.out.println(address.getPort());
    while (System.in.read() >= 0) {}
    server.shutdownNow();
  }

  /** Bytes of one connection to the other, until either is closed. */
  private static void relay(SocketChannel from, SocketChannel to) throws IOException {
    try (from; to) {
      var bytes = ByteBuffer.allocate(65536);
      while (from.read(bytes) >= 0) {
        bytes.flip();
        while (bytes.hasRemaining()) to.write(bytes);
        bytes.clear();
      }
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void inBackground(Work work) {
    var thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException error) {
                // Whoever is at the other end has gone.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}
