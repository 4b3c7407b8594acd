package org.plant4j.edit;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A finding about a set of codes.
 *
 * @param codes the codes concerned, the one to resolve first
 * @param reason why, in a sentence
 * @param resolutions ways to resolve it, best first
 */
public record CodeEdit(Kind kind, boolean blocks, List<String> codes, String reason, List<Resolution> resolutions) {

    public CodeEdit {
        codes = List.copyOf(codes);
        resolutions = List.copyOf(resolutions);
    }

    /** An edit; only codes that cannot be billed block a submission. */
    static CodeEdit of(Kind kind, List<String> codes, String reason, List<Resolution> resolutions) {
        return new CodeEdit(kind, kind.blocks, codes, reason, resolutions);
    }

    /** What is wrong. */
    public enum Kind {
        @JsonProperty("not-billable")
        NOT_BILLABLE(true),
        @JsonProperty("seventh-character")
        SEVENTH_CHARACTER(true),
        @JsonProperty("not-valid-on-date")
        NOT_VALID_ON_DATE(true),
        @JsonProperty("no-edition")
        NO_EDITION(false),
        @JsonProperty("excludes1")
        EXCLUDES1(false),
        @JsonProperty("parent-and-child")
        PARENT_AND_CHILD(false),
        @JsonProperty("code-first")
        CODE_FIRST(false),
        @JsonProperty("use-additional")
        USE_ADDITIONAL(false),
        @JsonProperty("laterality")
        LATERALITY(false),
        @JsonProperty("unspecified")
        UNSPECIFIED(false);

        private final boolean blocks;

        Kind(boolean blocks) {
            this.blocks = blocks;
        }
    }

    /** What to do with a code. */
    public enum Action {
        @JsonProperty("replace")
        REPLACE,
        @JsonProperty("remove")
        REMOVE,
        @JsonProperty("add")
        ADD,
        /** Put {@code code} before {@code with}. */
        @JsonProperty("move-before")
        MOVE_BEFORE
    }

    /** A way to resolve an edit; {@code with}: the code to replace it with, or to put it before; else empty. */
    public record Resolution(Action action, String code, String with) {

        static Resolution replace(String code, String with) {
            return new Resolution(Action.REPLACE, code, with);
        }

        static Resolution remove(String code) {
            return new Resolution(Action.REMOVE, code, "");
        }

        static Resolution add(String code) {
            return new Resolution(Action.ADD, code, "");
        }

        static Resolution moveBefore(String code, String with) {
            return new Resolution(Action.MOVE_BEFORE, code, with);
        }
    }
}
