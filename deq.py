import onnx, numpy as np, sys
from onnx.numpy_helper import to_array
m = onnx.load(sys.argv[1]); c = {i.name: to_array(i) for i in m.graph.initializer}
w = {"embeddings.word_embeddings.weight": c["words"].astype(np.float32) * c["word_scale"], "embeddings.position_embeddings.weight": c["places"], "embeddings.token_type_embeddings.weight": np.zeros((2, 384), np.float32),
     "embeddings.LayerNorm.weight": c["norm_weight"], "embeddings.LayerNorm.bias": c["norm_bias"]}
for l in range(6):
    t, e = f"layer{l}", f"encoder.layer.{l}"
    d = lambda n: (c[f"{t}_{n}_weight"].astype(np.float32) * c[f"{t}_{n}_scale"]).T
    for i, p in enumerate(("query", "key", "value")):
        w[f"{e}.attention.self.{p}.weight"] = d("qkv")[384 * i:384 * (i + 1)]; w[f"{e}.attention.self.{p}.bias"] = c[f"{t}_qkv_bias"][384 * i:384 * (i + 1)]
    n2 = "token_vectors" if l == 5 else f"{t}_norm2"
    for part, k, norm in (("attention.output", "out", f"{t}_norm1"), ("output", "down", n2)):
        w[f"{e}.{part}.dense.weight"] = d(k); w[f"{e}.{part}.dense.bias"] = c[f"{norm}_add"]; w[f"{e}.{part}.LayerNorm.weight"] = c[f"{norm}_weight"]; w[f"{e}.{part}.LayerNorm.bias"] = c[f"{norm}_bias"]
    w[f"{e}.intermediate.dense.weight"] = d("up"); w[f"{e}.intermediate.dense.bias"] = c[f"{t}_up_bias"]
np.savez(sys.argv[2], **{k: np.ascontiguousarray(v) for k, v in w.items()})
