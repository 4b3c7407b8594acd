package org.plant4j.tensor;

import java.util.List;
import org.bytedeco.pytorch.Dispatcher;
import org.bytedeco.pytorch.GenericList;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.IntType;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorType;
import org.bytedeco.pytorch.Type;

/** Calls to operators that have no Java binding, through libtorch's dispatcher, and the arguments they need. */
public final class DispatcherCall {

    private DispatcherCall() {}

    /** Calls an operator such as {@code aten::_cudnn_rnn} without overload name and returns its results. */
    public static IValueVector call(String operator, IValue... arguments) {
        IValueVector stack = new IValueVector(arguments); // the results replace the arguments
        Dispatcher.singleton().findSchemaOrThrow(operator, "").callBoxed(stack);
        return stack;
    }

    public static IValue tensorList(List<Tensor> tensors) {
        GenericList list = new GenericList(new Type.TypePtr(TensorType.get()));
        tensors.forEach(tensor -> list.push_back(new IValue(tensor)));
        return new IValue(list);
    }

    public static IValue emptyIntList() {
        return new IValue(
                new GenericList(new Type.TypePtr(IntType.getIntTypePtr().get())));
    }
}
