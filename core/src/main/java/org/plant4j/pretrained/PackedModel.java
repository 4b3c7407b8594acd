package org.plant4j.pretrained;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.support.Sha256;

/**
 * A packed model: a ZIP file with the files of a run that prediction needs, and a {@link ModelCard}. It is a file, or a
 * resource of the class path.
 *
 * @param name the name of the model
 * @param where its path or resource, for messages
 */
public record PackedModel(String name, URL url, String where) {

    /** How the names of the files end. */
    public static final String EXTENSION = ".zip";

    private static final String CARD = "card.json";
    private static final String REMEDY = "copy or download it again, or pack the run again: plant model pack";

    /** Whether this is a file whose name is that of a packed model. */
    public static boolean isFile(Path path) {
        return path.toString().endsWith(EXTENSION) && Files.isRegularFile(path);
    }

    /** The packed model in a file, whose name is that of the model. */
    public static PackedModel of(Path file) {
        try {
            return new PackedModel(name(file), file.toUri().toURL(), file.toString());
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name of the model in a file: {@code codiesp-d} for {@code codiesp-d.zip}. */
    static String name(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(EXTENSION) ? name.substring(0, name.length() - EXTENSION.length()) : name;
    }

    /** Unpacks the model into the cache, unless it is there already and intact. */
    public RunDirectory unpack() {
        return unpack(ModelCache.ofUser());
    }

    RunDirectory unpack(ModelCache cache) {
        byte[] bytes = bytes();
        return cache.get(Sha256.of(bytes), name, directory -> unpack(bytes, directory));
    }

    /** The card, without unpacking the model. */
    public ModelCard card() {
        try (ZipInputStream zip = new ZipInputStream(open())) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (entry.getName().equals(CARD)) {
                    return card(zip.readAllBytes());
                }
            }
        } catch (ZipException | EOFException | IllegalArgumentException e) {
            throw damaged(CARD + " cannot be read", e);
        } catch (IOException e) {
            throw new UserError("The packed model cannot be read", where, REMEDY, e);
        }
        throw new UserError(
                "This is not a packed model: it has no " + CARD, where, "give one that `plant model pack` wrote");
    }

    private ModelCard card(byte[] json) {
        try {
            JsonNode tree = RunDirectory.JSON.readTree(json);
            if (tree.path("format").asInt() > ModelCard.FORMAT) {
                throw new UserError(
                        "The packed model has format " + tree.path("format").asText()
                                + ", but this version of Plant4j reads formats up to " + ModelCard.FORMAT,
                        where,
                        "use a newer version of Plant4j");
            }
            return RunDirectory.JSON.treeToValue(tree, ModelCard.class);
        } catch (JsonProcessingException e) {
            throw damaged(CARD + " is not a valid card", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The size in bytes. */
    public long size() {
        return bytes().length;
    }

    /** The SHA-256 checksum. */
    public String checksum() {
        return Sha256.of(bytes());
    }

    private byte[] bytes() {
        try (InputStream in = open()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UserError("The packed model cannot be read", where, REMEDY, e);
        }
    }

    private InputStream open() throws IOException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false); // a cached jar would stay open
        return connection.getInputStream();
    }

    private void unpack(byte[] bytes, Path directory) {
        card(); // refuses a newer format before the details of this one are checked
        Set<String> unpacked = new HashSet<>();
        String current = "its first entry";
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                current = entry.getName();
                Path file = directory.resolve(current).normalize();
                if (!file.startsWith(directory) || file.equals(directory) || !unpacked.add(current)) {
                    throw damaged("it has an entry with the name " + current, null);
                }
                Files.createDirectories(file.resolveSibling(""));
                Files.copy(zip, file);
                current = "the entry after " + current;
            }
        } catch (ZipException | EOFException | IllegalArgumentException e) {
            throw damaged(current + " cannot be read", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + url, e);
        }
        verify(new RunDirectory(directory), unpacked);
    }

    private void verify(RunDirectory run, Set<String> unpacked) {
        try {
            RunDirectory.open(run.path());
        } catch (UserError e) { // names the copy in the cache, which is deleted
            throw damaged(e.what().replaceFirst("^The run is damaged: ", ""), e);
        }
        Set<String> listed = new HashSet<>(run.readManifest().files().files().keySet());
        listed.add(String.valueOf(run.manifest().getFileName()));
        Optional<String> surplus = unpacked.stream()
                .filter(name -> !listed.contains(name))
                .sorted()
                .findFirst();
        if (surplus.isPresent()) {
            throw damaged(surplus.get() + " has no checksum", null);
        }
    }

    private UserError damaged(String why, @Nullable Throwable cause) {
        UserError error = new UserError("The packed model is damaged: " + why, where, REMEDY);
        if (cause != null) {
            error.initCause(cause);
        }
        return error;
    }
}
