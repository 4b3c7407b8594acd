package org.plant4j.cli.serve;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.plant4j.Coder;

/** A model that loads while the rest of the server starts. */
final class LoadingCoder implements Supplier<Coder>, AutoCloseable {

    private final CompletableFuture<Coder> loading;

    private LoadingCoder(CompletableFuture<Coder> loading) {
        this.loading = loading;
    }

    static LoadingCoder start(Supplier<Coder> load) {
        return new LoadingCoder(CompletableFuture.supplyAsync(load));
    }

    /** Waits for the model. */
    @Override
    public Coder get() {
        try {
            return loading.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException fault ? fault : e;
        }
    }

    /** Waits for the model and closes it, unless it could not be loaded. */
    @Override
    public void close() {
        loading.handle((coder, fault) -> coder)
                .thenAccept(coder -> {
                    if (coder != null) {
                        coder.close();
                    }
                })
                .join();
    }
}
