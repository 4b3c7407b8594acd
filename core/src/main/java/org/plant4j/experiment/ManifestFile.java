package org.plant4j.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.Sha256;

/** The file of a manifest: the manifest as JSON, followed by its checksum. */
record ManifestFile(Path path) {

    private static final String FORMAT = "format";
    private static final String FILES = "files";
    private static final String CHECKSUM = "checksum";
    private static final String USAGE = "usage";

    void write(RunManifest manifest) {
        ObjectNode json = RunDirectory.JSON.valueToTree(manifest);
        json.put(CHECKSUM, checksum(manifest));
        AtomicFile.write(path, draft -> Files.writeString(draft, RunDirectory.JSON.writeValueAsString(json) + "\n"));
    }

    RunManifest read() {
        try {
            return parse(Files.readString(path));
        } catch (NoSuchFileException e) {
            throw new UserError(
                    "This is not a run directory: it has no " + path.getFileName(),
                    String.valueOf(path.getParent()),
                    "give a directory that `plant run` created, such as runs/laat@demo",
                    e);
        } catch (JsonProcessingException e) {
            String line =
                    e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNr();
            throw damaged("it is not a valid manifest" + line, e);
        } catch (CharacterCodingException e) {
            throw damaged("it is not text", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    private RunManifest parse(String text) throws JsonProcessingException {
        if (!(RunDirectory.JSON.readTree(text) instanceof ObjectNode json)) {
            throw damaged("it is not a JSON object", null);
        }
        if (!json.has(USAGE)) { // unknown, or written by an earlier version
            json.putNull(USAGE);
        }
        if (!json.has(FORMAT) && !json.has(FILES) && !json.has(CHECKSUM)) { // written before there were checksums
            json.put(FORMAT, 0).putObject(FILES);
            return RunDirectory.JSON.treeToValue(json, RunManifest.class);
        }
        if (json.path(FORMAT).asInt() > RunManifest.FORMAT) {
            throw new UserError(
                    "The run directory has format " + json.path(FORMAT).asText() + ", but this version of Plant4j reads"
                            + " formats up to " + RunManifest.FORMAT,
                    path.toString(),
                    "use a newer version of Plant4j");
        }
        JsonNode checksum = json.remove(CHECKSUM);
        RunManifest manifest = RunDirectory.JSON.treeToValue(json, RunManifest.class);
        if (checksum == null || !checksum.asText().equals(checksum(manifest))) {
            throw damaged("it does not match its checksum", null);
        }
        return manifest;
    }

    private static String checksum(RunManifest manifest) {
        try {
            return Sha256.of(RunDirectory.JSON.writeValueAsString(manifest));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private UserError damaged(String why, @Nullable Throwable cause) {
        UserError error =
                new UserError(path.getFileName() + " is damaged: " + why, path.toString(), RunDirectory.RESTORE);
        if (cause != null) {
            error.initCause(cause);
        }
        return error;
    }
}
