package org.plant4j.tensor;

import java.util.List;
import org.bytedeco.pytorch.GenericList;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IntType;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorType;
import org.bytedeco.pytorch.Type;

/** Arguments for operators that have no Java binding and are called through libtorch's dispatcher. */
public final class DispatcherCall {

    private DispatcherCall() {}

    public static IValue tensorList(List<Tensor> tensors) {
        GenericList list = new GenericList(new Type.TypePtr(TensorType.get()));
        tensors.forEach(tensor -> list.push_back(new IValue(tensor)));
        return new IValue(list);
    }

    /** No sizes at all. */
    public static IValue emptyIntList() {
        return new IValue(
                new GenericList(new Type.TypePtr(IntType.getIntTypePtr().get())));
    }
}
