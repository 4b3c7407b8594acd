package org.plant4j.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A connection that can tell whether its client has hung up while the server works on a response. Jetty notices only when
 * it writes. A byte that is read to find out is kept for the next request.
 */
final class HttpEndPoint extends SocketChannelEndPoint {

    private final ByteBuffer peeked = BufferUtil.allocate(1);

    HttpEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
        super(channel, selector, key, scheduler);
    }

    /** To be called only between a request and its response, when Jetty does not read. */
    synchronized boolean isClientGone() {
        if (!isOpen()) {
            return true;
        }
        if (peeked.hasRemaining()) {
            return false;
        }
        try {
            int position = BufferUtil.flipToFill(peeked);
            int read = getChannel().read(peeked); // does not block: Jetty's channels never do
            BufferUtil.flipToFlush(peeked, position);
            return read < 0;
        } catch (IOException e) {
            BufferUtil.clear(peeked);
            return true; // reset by the client
        }
    }

    @Override
    public synchronized int fill(ByteBuffer buffer) throws IOException {
        if (peeked.hasRemaining()) {
            return BufferUtil.append(buffer, peeked);
        }
        return super.fill(buffer);
    }

    /** The selector does not report a byte that has been read already. */
    @Override
    protected void needsFillInterest() {
        if (peeked.hasRemaining()) {
            getFillInterest().fillable();
        } else {
            super.needsFillInterest();
        }
    }
}
