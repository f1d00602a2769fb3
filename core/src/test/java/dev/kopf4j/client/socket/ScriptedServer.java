package dev.kopf4j.client.socket;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server of bytes: each connection is served by the script, on a thread of its own. */
final class ScriptedServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private final Script script;

    /** What happens on one connection. It is closed afterwards. */
    interface Script {
        void serve(Connection connection) throws IOException;
    }

    /** One connection. */
    record Connection(int number, Socket socket, BufferedReader in) {
        /** The request line and the headers; empty if the client has closed the connection. The body stays unread. */
        String head() throws IOException {
            StringBuilder head = new StringBuilder();
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                head.append(line).append('\n');
            }
            return head.toString();
        }

        void answer(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
        }
    }

    ScriptedServer(Script script) throws IOException {
        this.script = script;
        threads.execute(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                connections.add(socket);
                int number = connections.size();
                threads.execute(() -> serve(number, socket));
            }
        } catch (SocketException e) {
            if (!listener.isClosed()) {
                throw new UncheckedIOException(e);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(int number, Socket socket) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            script.serve(new Connection(number, socket, in));
        } catch (SocketException e) {
            // The client or the end of the test has closed it.
            assert socket.isClosed() : e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int connections() {
        return connections.size();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket each : connections) {
            each.close();
        }
        threads.close();
    }
}
