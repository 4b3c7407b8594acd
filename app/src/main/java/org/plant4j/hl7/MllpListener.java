package org.plant4j.hl7;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.plant4j.UserError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives messages through MLLP: a message is between the bytes 0x0B and 0x1C 0x0D, and the acknowledgment is sent on the
 * same connection. The number of connections, the size of a message and the time that it may take are bounded.
 */
public final class MllpListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MllpListener.class);
    private static final int START = 0x0B;
    private static final int END = 0x1C;
    private static final int CARRIAGE_RETURN = 0x0D;
    private static final int MAX_CONNECTIONS = 64;

    /** Messages that are processed at once. */
    private static final int MAX_PROCESSED = 4;

    /** Bytes of a message that is too large which are still received, so that its sender gets the answer. */
    private static final int MAX_DISCARDED = 64 << 20;

    private static final int IDLE_MILLISECONDS = 600_000;
    private static final int HEAD_BYTES = 2000;

    private final ServerSocket server;
    private final MessageIntake intake;
    private final int maxBytes;
    private final int messageMilliseconds;
    private final Semaphore connections = new Semaphore(MAX_CONNECTIONS);
    private final Semaphore processed = new Semaphore(MAX_PROCESSED);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "hl7");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Listens from now on; port 0 chooses a free one.
     *
     * @param maxBytes the size of a message
     * @param messageSeconds how long a message may take to arrive
     */
    public MllpListener(String host, int port, MessageIntake intake, int maxBytes, int messageSeconds) {
        this.intake = intake;
        this.maxBytes = maxBytes;
        this.messageMilliseconds = messageSeconds * 1000;
        try {
            server = new ServerSocket(port, MAX_CONNECTIONS, InetAddress.getByName(host));
        } catch (IOException e) {
            throw new UserError(
                    "The address for HL7 is in use or does not belong to this machine",
                    host + ":" + port,
                    "choose another port with --hl7, or another address with --hl7-host",
                    e);
        }
        threads.execute(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                if (connections.tryAcquire()) {
                    open.add(socket);
                    threads.execute(() -> serve(socket));
                } else {
                    socket.close();
                }
            } catch (IOException e) {
                if (!server.isClosed()) {
                    LOG.warn("HL7 connection failed: {}", e.getClass().getName());
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                InputStream in = new BufferedInputStream(socket.getInputStream());
                OutputStream out = socket.getOutputStream()) {
            for (boolean more = awaitStart(socket, in); more; more = awaitStart(socket, in)) {
                Optional<byte[]> message = read(socket, in, out);
                if (message.isEmpty()) {
                    return;
                }
                send(out, process(message.get(), address(socket)));
            }
        } catch (SocketTimeoutException e) {
            LOG.info("HL7 connection closed: nothing arrived in time");
        } catch (IOException e) {
            LOG.info("HL7 connection closed by the sender");
        } finally {
            open.remove(socket);
            connections.release();
        }
    }

    private byte[] process(byte[] message, String address) {
        processed.acquireUninterruptibly();
        try {
            return intake.take(message, address);
        } finally {
            processed.release();
        }
    }

    private static String address(Socket socket) {
        return socket.getInetAddress().getHostAddress();
    }

    /** Skips line breaks between messages; returns false at the end, or if something else follows. */
    private static boolean awaitStart(Socket socket, InputStream in) throws IOException {
        socket.setSoTimeout(IDLE_MILLISECONDS);
        int next = in.read();
        while (next == CARRIAGE_RETURN || next == '\n') {
            next = in.read();
        }
        if (next >= 0 && next != START) {
            LOG.warn("HL7 connection closed: not MLLP");
        }
        return next == START;
    }

    /** The message, or empty if it was too large or incomplete. */
    private Optional<byte[]> read(Socket socket, InputStream in, OutputStream out) throws IOException {
        long deadline = System.nanoTime() + messageMilliseconds * 1_000_000L;
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        boolean ended = false;
        socket.setSoTimeout(messageMilliseconds);
        while (message.size() <= maxBytes) {
            int next = in.read();
            if (System.nanoTime() > deadline) { // a sender that sends byte by byte
                throw new SocketTimeoutException();
            }
            if (next < 0) {
                return Optional.empty();
            }
            if (ended && next == CARRIAGE_RETURN) {
                return Optional.of(message.toByteArray());
            }
            if (ended) {
                message.write(END);
            }
            ended = next == END;
            if (!ended) {
                message.write(next);
            }
        }
        byte[] head = Arrays.copyOf(message.toByteArray(), Math.min(HEAD_BYTES, message.size()));
        send(out, intake.refuseTooLarge(head, address(socket), maxBytes));
        socket.shutdownOutput();
        discard(socket, in, deadline);
        return Optional.empty();
    }

    /** Reads on: closing a connection with unread bytes resets it, and the sender may lose the answer. */
    private static void discard(Socket socket, InputStream in, long deadline) throws IOException {
        byte[] buffer = new byte[1 << 16];
        int count = 0;
        for (long total = 0; count >= 0 && total < MAX_DISCARDED; total += count) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return;
            }
            socket.setSoTimeout((int) left);
            count = in.read(buffer);
        }
    }

    private static void send(OutputStream out, byte[] acknowledgment) throws IOException {
        byte[] frame = new byte[acknowledgment.length + 3];
        frame[0] = START;
        System.arraycopy(acknowledgment, 0, frame, 1, acknowledgment.length);
        frame[frame.length - 2] = END;
        frame[frame.length - 1] = CARRIAGE_RETURN;
        out.write(frame);
        out.flush();
    }

    /** Stops listening; a message that is being processed is finished, but its sender may miss the acknowledgment. */
    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : open) {
                socket.shutdownInput(); // ends the wait for a next message
            }
        } catch (IOException e) {
            LOG.warn("HL7 cannot be closed: {}", e.getClass().getName());
        }
        threads.shutdown();
        try {
            if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("HL7 connections are still open");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
