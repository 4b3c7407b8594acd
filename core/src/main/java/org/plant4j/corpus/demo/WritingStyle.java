package org.plant4j.corpus.demo;

import java.util.Random;

/** The writing style of an author: problem-oriented or prose, verbose or terse, with a kind of bullets and headings. */
record WritingStyle(
        boolean problemOriented, boolean listsDiagnoses, boolean verbose, Bullet bullet, int headingVariant) {

    private static final int HEADING_VARIANTS = 4;

    enum Bullet {
        DASH,
        NUMBER,
        LINE,
        COMMA
    }

    static WritingStyle sample(Random random) {
        return new WritingStyle(
                random.nextInt(10) < 6,
                random.nextInt(10) < 5,
                random.nextInt(100) < 15,
                Bullet.values()[random.nextInt(Bullet.values().length)],
                random.nextInt(HEADING_VARIANTS));
    }
}
