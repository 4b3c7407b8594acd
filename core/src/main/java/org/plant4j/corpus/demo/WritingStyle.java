package org.plant4j.corpus.demo;

import java.util.Random;

/** How a made-up author writes: by problem or in prose, at length or not, with which bullets and headings. */
public record WritingStyle(
        boolean problemOriented, boolean listsDiagnoses, boolean verbose, Bullet bullet, int headingVariant) {

    private static final int HEADINGS = 4;

    enum Bullet {
        DASH,
        NUMBER,
        LINE,
        COMMA
    }

    static WritingStyle draw(Random random) {
        return new WritingStyle(
                random.nextInt(10) < 6,
                random.nextInt(10) < 5,
                random.nextInt(100) < 15,
                Bullet.values()[random.nextInt(Bullet.values().length)],
                random.nextInt(HEADINGS));
    }
}
