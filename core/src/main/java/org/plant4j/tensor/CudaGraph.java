package org.plant4j.tensor;

import java.util.concurrent.atomic.AtomicLong;
import org.bytedeco.cuda.cudart.CUgraphExec_st;
import org.bytedeco.cuda.cudart.CUgraph_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.cuda.CUDAAllocator;
import org.bytedeco.pytorch.cuda.CUDAStream;
import org.bytedeco.pytorch.cuda.DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair;
import org.bytedeco.pytorch.cuda.StreamFilter;
import org.bytedeco.pytorch.global.torch_cuda;

/**
 * Work on the GPU that is recorded once and then launched as a whole, which takes the host microseconds instead of one launch
 * per kernel. A launch repeats the same kernels on the same memory: inputs are copied into tensors that the work reads, and
 * results lie in tensors that it wrote. The work must not draw random numbers, and must not wait for the GPU.
 */
public final class CudaGraph {

    private static final int WARM_UP = 2; // lets cuBLAS and cuDNN allocate their workspaces before the capture

    private static final AtomicLong LAST_POOL = new AtomicLong(1L << 32); // above the ids that libtorch assigns

    /** Allocations of all streams go to the graph's own memory while it is recorded. */
    private static final class AllStreams extends StreamFilter {
        private static final AllStreams INSTANCE = new AllStreams();

        private AllStreams() {
            retainReference(); // the first capture creates it in its own scope, and later ones use it again
        }

        @Override
        public boolean call(Pointer stream) {
            return true;
        }
    }

    private final CUgraphExec_st executable;

    private CudaGraph(CUgraphExec_st executable) {
        this.executable = executable;
    }

    /**
     * A forward pass and its backward pass, to be launched one after the other, with other work between them.
     *
     * @param release frees the memory of both, after all tensors that they wrote are closed
     */
    public record Passes(Runnable forward, Runnable backward, Runnable release) {}

    /**
     * Records two passes. They share memory that nothing else uses, so that what the forward pass keeps for the backward pass
     * survives in between. Neither is executed for its result: launch them afterwards.
     *
     * @throws IllegalStateException if the work cannot be recorded
     */
    public static Passes capture(Runnable forward, Runnable backward) {
        Natives.load(torch_cuda.class);
        Natives.load(cudart.class);
        try (PointerScope scope = new PointerScope()) {
            CUDAStream current = torch_cuda.getCurrentCUDAStream();
            CUDAStream side = torch_cuda.getStreamFromPool(); // the default stream cannot be captured
            CudaKernels.checkCuda(cudart.cudaDeviceSynchronize());
            torch_cuda.setCurrentCUDAStream(side);
            try {
                for (int i = 0; i < WARM_UP; i++) {
                    runInScope(forward);
                    runInScope(backward);
                }
                CudaKernels.checkCuda(cudart.cudaDeviceSynchronize());
                // libtorch names a pool by two numbers; the binding calls this pair by the name of another one.
                LongPointer name = new LongPointer(0L, LAST_POOL.incrementAndGet());
                name.retainReference();
                DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair pool =
                        new DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair((Pointer) name);
                CudaGraph first = capture(side.stream(), pool, forward);
                CudaGraph second = capture(side.stream(), pool, backward);
                return new Passes(first::launch, second::launch, () -> release(first, second, name));
            } catch (RuntimeException e) {
                cudart.cudaGetLastError(); // otherwise libtorch reports the error again at its next launch
                throw e;
            } finally {
                torch_cuda.setCurrentCUDAStream(current);
                CudaKernels.checkCuda(cudart.cudaDeviceSynchronize());
            }
        }
    }

    private static CudaGraph capture(
            CUstream_st stream, DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair pool, Runnable work) {
        byte device = torch_cuda.current_device();
        CUgraph_st graph = new CUgraph_st();
        torch_cuda.beginAllocateToPool(device, pool, AllStreams.INSTANCE);
        try {
            CudaKernels.checkCuda(cudart.cudaStreamBeginCapture(stream, cudart.cudaStreamCaptureModeThreadLocal));
            try {
                runInScope(work);
            } catch (RuntimeException e) {
                cudart.cudaStreamEndCapture(stream, graph);
                cudart.cudaGetLastError(); // otherwise the next kernel would report it
                throw e;
            }
            int status = cudart.cudaStreamEndCapture(stream, graph);
            cudart.cudaGetLastError();
            CudaKernels.checkCuda(status);
        } finally {
            torch_cuda.endAllocateToPool(device, pool);
        }
        CUgraphExec_st executable = new CUgraphExec_st();
        CudaKernels.checkCuda(cudart.cudaGraphInstantiate(executable, graph, 0));
        CudaKernels.checkCuda(cudart.cudaGraphDestroy(graph));
        executable.retainReference(); // outlives the open scope
        return new CudaGraph(executable);
    }

    private static void release(CudaGraph forward, CudaGraph backward, LongPointer name) {
        try (PointerScope scope = new PointerScope()) {
            CudaKernels.checkCuda(cudart.cudaDeviceSynchronize());
            CudaKernels.checkCuda(cudart.cudaGraphExecDestroy(forward.executable));
            CudaKernels.checkCuda(cudart.cudaGraphExecDestroy(backward.executable));
            CUDAAllocator allocator = torch_cuda.getAllocator();
            DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair pool =
                    new DeviceAssertionsDataVectorCUDAKernelLaunchInfoVectorPair((Pointer) name);
            for (int pass = 0; pass < 2; pass++) { // each pass counts as a use of the pool
                allocator.releasePool(torch_cuda.current_device(), pool);
            }
        }
    }

    private static void runInScope(Runnable work) {
        try (PointerScope scope = new PointerScope()) {
            work.run();
        }
    }

    /** Queues the recorded work in libtorch's current stream. */
    private void launch() {
        try (PointerScope scope = new PointerScope()) {
            CudaKernels.checkCuda(cudart.cudaGraphLaunch(executable, torch_cuda.getCurrentCUDAStream().stream()));
        }
    }
}
