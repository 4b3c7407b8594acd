package org.plant4j.distributed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.FileStore;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;
import org.plant4j.UserError;
import org.plant4j.support.ErrorMessages;

/**
 * Where the processes of a group find each other: a key-value store in a file or in the first process. A server listens on
 * all network interfaces and has no password, so it belongs into a private network; a file opens no port.
 */
public final class Rendezvous implements AutoCloseable {

    private static final String FILE = "file:";
    private static final String TCP = "tcp://";
    private static final String LOOPBACK = "127.0.0.1";

    private final Store store;
    private final String address;

    private Rendezvous(Store store, String address) {
        this.store = store;
        this.address = address;
    }

    /** Opens {@code file:PATH}, a file that all processes see, new for each start, or {@code tcp://HOST:PORT} of rank 0. */
    public static Rendezvous open(String address, int rank, int size, Duration timeout) {
        if (address.startsWith(FILE)) {
            return inFile(Path.of(address.substring(FILE.length())), size);
        }
        URI uri = parse(address);
        return rank == 0 ? listen(uri.getHost(), uri.getPort(), timeout) : connect(uri, timeout);
    }

    private static Rendezvous inFile(Path file, int size) {
        GroupLibraries.requireGloo();
        try (PointerScope scope = new PointerScope()) {
            FileStore store = new FileStore(file.toAbsolutePath().toString(), size);
            store.retainReference(); // outlives the scope
            return new Rendezvous(store, FILE + file);
        }
    }

    /** Listens in the first process; port 0 takes a free one. {@code host} is its name for the other processes. */
    public static Rendezvous listen(String host, int port, Duration timeout) {
        // The own name of a Kubernetes pod cannot always be resolved in the pod itself.
        TCPStore store = tcpStore("localhost", port, true, timeout);
        return new Rendezvous(store, TCP + host + ":" + (store.getPort() & 0xFFFF));
    }

    private static Rendezvous connect(URI uri, Duration timeout) {
        return new Rendezvous(
                tcpStore(uri.getHost(), uri.getPort(), false, timeout), TCP + uri.getHost() + ":" + uri.getPort());
    }

    private static TCPStore tcpStore(String host, int port, boolean server, Duration timeout) {
        GroupLibraries.requireGloo();
        try (PointerScope scope = new PointerScope();
                TCPStoreOptions options = new TCPStoreOptions()) {
            options.port((short) port) // unsigned in C++: the cast keeps the bits
                    .isServer(server)
                    .waitWorkers(false)
                    .timeout(new Milliseconds(timeout.toMillis()));
            TCPStore store = new TCPStore(host, options);
            store.retainReference(); // outlives the scope
            return store;
        } catch (RuntimeException e) {
            String what = server ? "Cannot listen on port " + port : "The first process cannot be reached";
            throw new PeerFailure(what + " (" + TCP + host + ":" + port + "): " + ErrorMessages.firstLine(e), e);
        }
    }

    private static URI parse(String address) {
        try {
            URI uri = new URI(address);
            if ("tcp".equals(uri.getScheme()) && uri.getHost() != null && uri.getPort() > 0) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw new UserError(
                "Not a rendezvous: '" + address + "'", "--rendezvous", "use file:PATH or tcp://HOST:PORT of rank 0");
    }

    /** The address for the other processes, {@code file:PATH} or {@code tcp://HOST:PORT}. */
    public String address() {
        return address;
    }

    /** A part of the store whose keys begin with a name; the caller closes it. */
    PrefixStore store(String name) {
        PrefixStore prefixed = new PrefixStore(name, store);
        prefixed.retainReference(); // outlives the scope in which it is created
        return prefixed;
    }

    /** The address of this machine that the other processes can reach: the one that leads to the first process. */
    String localAddress(boolean first) {
        if (address.startsWith(FILE)) {
            return LOOPBACK;
        }
        URI uri = parse(address);
        try {
            InetAddress host = InetAddress.getByName(uri.getHost());
            if (first) {
                return (NetworkInterface.getByInetAddress(host) == null ? InetAddress.getLocalHost() : host)
                        .getHostAddress();
            }
            try (DatagramSocket route = new DatagramSocket()) {
                route.connect(new InetSocketAddress(host, uri.getPort())); // finds the route, sends nothing
                return route.getLocalAddress().getHostAddress();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot find the own address for " + address, e);
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
