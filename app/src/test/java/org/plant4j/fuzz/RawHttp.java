package org.plant4j.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends requests that an HTTP library would refuse to send. */
final class RawHttp {

    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})");
    private static final String BODY = "{\"text\": \"heart failing\"}";
    private static final int TIMEOUT_MILLISECONDS = 15_000;

    /** The status, or 0 if the connection was closed without an answer. */
    record Answer(int status, String text) {}

    private final int port;

    RawHttp(int port) {
        this.port = port;
    }

    Answer send(FuzzInput input) throws IOException {
        byte[] request = request(input);
        input.step("send " + new String(request, StandardCharsets.ISO_8859_1));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLISECONDS);
            OutputStream out = socket.getOutputStream();
            out.write(request);
            out.flush();
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            String text = new String(in.readNBytes(10_000), StandardCharsets.ISO_8859_1);
            Matcher status = STATUS.matcher(text);
            return new Answer(status.lookingAt() ? Integer.parseInt(status.group(1)) : 0, text);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("no answer, and the connection is still open", e);
        } catch (SocketException e) {
            return new Answer(0, String.valueOf(e.getMessage()));
        }
    }

    private static byte[] request(FuzzInput input) {
        String method = input.pick("POST", "POST", "POST", "GET", "PUT", "post", "TRACE", "", "\u0000");
        String version = input.pick("HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "");
        StringBuilder request = new StringBuilder(method + " /api/code " + version + "\r\n");
        request.append(input.pick("Host: localhost\r\n", "Host: localhost\r\n", "Host: \u0001\r\n", ""));
        request.append("Content-Type: application/json\r\nConnection: close\r\n");
        request.append(input.pick(
                "Content-Length: " + BODY.length() + "\r\n",
                "Content-Length: " + (BODY.length() - 3) + "\r\n",
                "Content-Length: -1\r\n",
                "Content-Length: 99999999999999999999\r\n",
                "Content-Length: 5\r\nContent-Length: 6\r\n",
                "Transfer-Encoding: chunked\r\n",
                "Transfer-Encoding: gzip\r\n",
                ""));
        request.append(input.pick(
                "",
                "X: " + "y".repeat(20_000) + "\r\n",
                "Authorization: Bearer \u00ff\u00fe\r\n",
                "Authorization: Basic ====\r\n",
                "Origin: null\r\n",
                "Accept-Encoding: gzip, deflate, br, \u0007\r\n",
                "Cookie: a=\"\r\n",
                " folded: header\r\n"));
        request.append("\r\n").append(BODY);
        byte[] bytes = request.toString().getBytes(StandardCharsets.ISO_8859_1);
        return input.chance(0.4) ? ByteMutator.mutate(bytes, input) : bytes;
    }
}
