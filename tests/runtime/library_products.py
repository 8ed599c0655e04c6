"""Types of the products that cuBLAS is asked for, small: operands and result, by op."""

PRODUCTS = {
    "inner_product": ("f32[b6,7]", "f32[5,7]", "f32[b6,5]"),
    "inner_product_dx": ("f32[b6,5]", "f32[5,7]", "f32[b6,7]"),
    "inner_product_dw": ("f32[b6,7]", "f32[b6,5]", "f32[5,7]"),
}
