"""Constant data of a library, in one object file: how parameters are initialized and saved.

Data collects the bytes. The tables of initial values include those of the ziggurat by which NumPy draws normal random
numbers: KI, WI and FI are 256 words of 8 bytes, little-endian, in base 85 (bounds of what is accepted at once, widths
of the layers, values of the density). Source: NumPy, numpy/random/src/distributions/ziggurat_constants.h (BSD license);
the method is that of Marsaglia and Tsang 2000 in the form of Doornik 2005.

Parameters and training states are saved as .safetensors whose header has a fixed length. The C code contains the whole
header: it writes the numbers in it as digits of fixed width, and reads only files with exactly this header. Python
reads and writes the same bytes (base/files/array_files.py, training/loop/snapshot.py).
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.files.array_files import CHECKSUM, header_of
from mochac.base.records import record
from mochac.base.support.memory import ALIGNMENT
from mochac.formats.clib.memory import KeptArray
from mochac.ir.types import DTYPES
from mochac.nets.declared import ParamInfo, StateInfo
from mochac.nets.layers.initializers import Distribution, Initializer
from mochac.nets.net import Net
from mochac.runtime.cpu.compiler import CpuInfo, compile_ir
from mochac.training.loop.snapshot import SLOT, flat_metadata


class Data:
    """Collects bytes in pieces, each at a multiple of `alignment`."""

    def __init__(self, alignment: int = ALIGNMENT) -> None:
        self.alignment = alignment
        self._parts: list[bytes] = []
        self._end = 0

    def take(self, content: bytes) -> int:
        """Add a piece; returns its offset."""
        at = self._end
        padded = content + bytes(-len(content) % self.alignment)
        self._parts.append(padded)
        self._end += len(padded)
        return at

    @property
    def n_bytes(self) -> int:
        """Bytes of all pieces."""
        return self._end

    def object(self, symbol: str, cpu: CpuInfo) -> bytes:
        """Object code that defines a hidden symbol for the bytes."""
        content = b"".join(self._parts) or bytes(self.alignment)
        text = "".join(_SPELT[byte] for byte in content)
        constant = f'@{symbol} = hidden constant [{len(content)} x i8] c"{text}", align {self.alignment}\n'
        return compile_ir(constant, cpu)


_SPELT = [f"\\{byte:02x}" for byte in range(256)]


KI = base64.b85decode(
    "YVRe0J@XC#0000000000sK)!4z6cBeLV>;dRHF?5>h8gQ_E8Q1e)rSqRk98MxypWlOYaT<szmw<M;Q+Q7|Z`*?KckqTqR+ZMo$j_mZKZwrC|>M"
    "q?S{4dT<W_nnWn<vV0E!(^q2*@rDlo-X()qrjHK*+R#nMB$p2W3H93tshtl1boznyV51KJ_)A;fZ>SFd+*H$G@vIL354jj;`>+oH#&lDSpR^AE"
    "cm8H0?6(g94&|Zg?79yC?F$5*tGy2ZS8V@aFu)H0NTN3og2E2~(Ocqrro;~bG46VoqQ(yZq?RbDddLp|h2BeEGRhAC8Y2Sf%*zh|#5wp9P0bGg"
    "ne2~EwayO!Fv%Ui2ha}y=ET-bM$r!dQ1s%ca?%d~9?9@ej?)hSc(jn2n$!;fQxB53nAHye?3s?hiPjGQGU&*uZr2Y0=m>jMNZ1bmj4Z8-7ugR0"
    "(ygZl-PsQSj9w6Mnc5EkATGdNP1_Fu(EM9m`P&ZweVV!Jo!k!qopKm~JKYZekS{cd(%laLWS=%<W8Mz{PEn0;?%odoF0`frbl(pEK<$}j^xqEv"
    "@+7?EZ{QCASfVAu=HL$iOt>gKS>X==nLoUY$KekEsvO(tG2#yZksI2DnBorrhC#KD`{EA(N{v-BTjLJ^Dge-#x8n~0f32SB5abU4G<VcSXXFn6"
    "TnS9my5tW4B$d*x3*`?0c)U*cS>+D^5)$OdrR5I*iG~wC@8u5wco5ldHs%iic-6*rd*%-Ssu3P$zUB`A^7Q3Z|K<+>0;d33KIabrIi5a(d*=@T"
    "qHu8Iw&xE3Lqd0r@aGQzjPO&CDCiFWIu|wjUg!@1WC(=Zljsisyw31J$LJ3L_D+2``RES-9h-;DDd`UY>WI?`S?Lb|qMDQYhUpIgW=L_Yv*`~2"
    ")wYx--{}tkeCDfj3F;33q-OD)GU^WiER`~=TIvq~8g$jBf$9$c@EqQkr|J&?AldVU%<2ySJmzJ1@ahi$6YMW`6YCEEN-F+^HR}%mv|=%?R_hM{"
    "`h?>2cIyuS6d>kbmg^4ye4WqqwCfK5&`I>T((4ZZJ}z#t@9Pf$=)E4}3+xX76<V=UC+rUZ)32QbLhKI!mhmb5TkH=2^zLjxb?grSv<y(vjqDEq"
    "5+9MarR)y?{wKunyzCDE75h|#)9eobv&e{a>Ff^xw~>Fu{_GC`D1|k56YUQG14)FBC+!aaOfMu5JM9kuZdk4RP3;c=-NTqvVC@e8=ubf%a_tWQ"
    "f~n+JgY6Fh$SkA=l<f}y1h<7Nr0ov?v}$z7v+WN6Qf5Kl!tD<LQf{Pi(d`ca(~3NS-|Y_ofSHgF?d=Z$6x0tM`t1(@#7h#c2JR0423py`67CNG"
    ";0BOa9_|kSBxOr;DeeydyyOZMH0}=oJe#;ZKJE_y^nxkwNA3>*hOiwcQSJ`_L4QE$S?&)2F0?2$V(t$B@t0T&YVHpJdIvsiaqbTQf_pMpc<v7X"
    "x(0jCe(nzdvPwwOgzgUjLu0mJitY~pQOL}CkM0iu+9iG<l<p4z>M5vEnC=e%Tu2iRobC?*^mB4mpY9I;uFPU5qV5j>tU_ypr0x#@aV`94rtS{_"
    "`qpmOr|u5`3i<@jsO}E{J2U7@sqPN|5M(J(sqPN|UI)P0sO}E{RCbByr|u5`Bppb2rtS{_gPx*_r0x#@+T<b~qV5j>Bp@{|pY9I;F0UrMo9+()"
    "<nkoNm+lV$Itn~TlkN`y7IjrXj_wZtdYm?{i0%&n{XKt<g6<Chh`6WTd+rYa|2O}ebnXuTUcITqZ0-*LegK|QWbO|Dh$y2)Tka14wpUJ>QSJ`_"
    "&jtWWNA3>*P%Pn7Jnjzw*ec+%Fzyck1%j<&B<>FYT0FR37w!)LM-(ce3GNR7%t_-X`|S?^Y$0~)>+KH!egq=q+wBhk(>cx#%k2*U^ehBqx$O@C"
    "$vElUrtJ>^jp;XXlkE=xHmEopf9($dE5NzZY3&aH0Imj&Q|%7`BBb6yJnatv*e`15Bkd0WMCLDZ3hfU7H2w$L@9Yl%xVH`v)a(xcv~HCMx9kr9"
    "!7viGnCuS#c&QBvdF&4W{xJ{rSL_b}V#$VPHS7-nHM6u#5$q2D&~J{E>+25ylD42J#On_L+zjsZn(Ge$LWRlUZ|e^Lo*%8#LhBCzODzkq6YCEE"
    "=>i&A;_43oS0b6NuIdi}CgYBcc<K)T<#YYdKk5$v_Sub01nLg}J612&#pw?Kq(`Ycgy|0eC`TPfKj{wu*2Q+c_UI1)=IF#-s^|{@>alv@S?CV{"
    "K&g=S1n3U{z%znKtLF~@rD`8_Oy>^(0-`Dq=;jXq*sHdnedZ4UelR$n4CW62Liadxl;sZqfO3~`6y*;9SoAj3i{uXgHy-`J`Qr}&oU!gTUE>b`"
    "{^Tzbwc-x|S5=t<0OAh-6oYtzJmC)juxIYXXy6Y3s&Ol@g5M7Ss{Ve(hu#kW{X519b=?mD6Td0tM%)hof&wo1_}UKub-J?Qh1m}P1kXtC=GPAZ"
    "3uV2n6V?v^67b?l0n`rwtjDycq0tWjo*#Au;?55MvJqa`sLKxkA}!5s(#H<~?IIp8E5i=}I=H}rWxWpoG*ke@2DT3XbSNrVK&%e{m_-2|m!1y*"
    "{2io7`iTz!EHLo*#byrxN*pswS{e@k"
)
WI = base64.b85decode(
    "dD#_sJ4w$x#`gW=3yq6Bv|B7ZuTYXaVLL=PxqOv845u&X`~jFeywFT83?rI6_hC3MO#qxcbaHfBFRYzB!_`bJNHU*1t-FpVGEJa7LtO$p1@)jj"
    "cQ!$nrjnsN^%{DQq9>v}fY@U=F14aO^^sS=KRly6FR`M*p1q?yRh$2f?>VGAr~W-QyRoD^bkiDQbtR=dmd*#KfR&{@>VDbJF#@JMJ$$2K(rczX"
    "a0LL8qSB^3ruatF+BT;=cPg_Gt(d1gL-j_jMfj&YcM3yO%vGp7ns$4hWU;6`n9okBE(@tV>K-hDM`NixM#VUe$+@XKET^R0%nqtNS<QECXJV>6"
    "FcuJQt+c8<oNN<qu?4F<DSASOgjK6NI-gRGHl(XOGJ?M<*72)6^G;d$a6YU&VLLLV6N;=nizagZ$<(YoNVk9vpB}9|5Fg|zooB5)!?+^=&abUJ"
    "Q+DyGI`^$S{_WDW>piYK0B?FT>4UC3&Vu>9I?1j)CSve}=MAqsi1yf2_EE1quGfd2ZI!P)tS<U}Q`oOO>@-5)Rt>N`nvXg4KrXO6{G}G2>Q1mc"
    "5TJ5fR&TI83-oc2hL5m36JflBeXp=Qf6Pl}J<qT_YX}xg$nLN_?iH0XAP%uSz7H`6M=h~DL6MH1K1{JZ9w5ZO2y3xCG}?F?r-`vVh;8ms8>q27"
    "%PRQzX2!8RF4W+Yi{!C9pP)dQiUP7c>BhuzWgxOVAH(T=9X_%=`)jETv|F+~f72aiDtWRz8`l}fftIp7+Ag?ayR))9Q@G(`*wC^(j;YJ&+3m7C"
    "*GO&+!3wiHFuC;MjwiD`p<X6%L`1VZ)l$m3;$X8pYFGunYJIajWU{hv-I=pI13kFEJGQet;2l<&hSIY<gIaRlzV5R;be`aG<qEVsU38```zEwJ"
    "q%b__07JAqUB}9E_g=I-Hp6C~-+Ht>FONtvx|Xy&T|ol&hqAOh+!3>^NzSx91*SL_0P3_nVpU%6s|B?@T8j$uO(C^BPiAV><~+4L$g&$wcUZMN"
    "cwbcx0CcrH6on4PfseI3SsNrH{i?M*J#&50a>lhh(~K{B<KeYDI9{K~PyMw#!yltyxEQuPqOhXq9W=H)3nsS&flszPa+b+g;%c@$H!-n;LWZ_H"
    "v9eGpqM^1tyF;_+0ll_7Qqw45V%WAkRQO>r#Pha1>u8JjCl9wg#uRB$jw-i2-0pDP_eHlnA9Lk3Wns5GN%Zgf)_k`-lfAmgO_;Yl2^5Pw%ComT"
    "`y$)(OwYGG=iYOS*6O!BAL@prX9l=Dc818>03x_N6`zUDqCL1gz4g%_PFc7-#eRBk19iAOE%!%X!;rW<L%;=+j;y#moD89>WyrWZCu&4dN#wXZ"
    "kF|3tIsmymM}sKbI2^e={0i?9MmV`VilPH~VpO?2?$vO+j&Qj=F)A*J%Z#}^znMRi8L7EEEZNnJdBwRr5p-`W?BTgQO49l!a{jqIk~aA{3>&&U"
    "TgajzyEnQ#h`S4(e^k0Wq^U}BT5-BOJu#qUOpdxd2=SjjR;#)^&h=W&c*wduHnWT2wB@=y8ll5a3j@16TbP>gd?33#01V)u3O>6$13k_`wOhM9"
    "Cy76~eR;b)Jon}CWS6@<ZY71=Yqh&PqQEX|lheCAgRX&_-0{0Spcd?GND#a{Eqd_f*Dky~91U(0j7_{e1&8biW^BAX7pCjrW{bQ$tD-i&kE*;p"
    "kk&iL;mN!_H{fV6Ug^9%ZjXyH1_`}9An!L2+bF#}N5(T1-blSXBk|{!5NW+UrTf?PbBVn?aBd)(397w34oUp@(#pL&H!f0@(d)fD9MVbq1`WPE"
    "_D1T&bS}O;h|$5B98kVICH|K$0CK)O3co5#A(Xy62ygemfwsOpI;RkJBiX(@sq6t^2>iZ0AydMNG9SM@ZB4fiq(Z+uXaUI}UuM5Nf|rQ|W{ST&"
    "zanuMyRN@Hh37BQVAH=m3-%bnS@^#^b)eHn)DFNrN6C)@s3E{Ss{*NmsWiYm$Mrr=+DE`VezUFiJ6pg!XeOs4&~Csy7cOIun1aAORHEnzmzKah"
    "#K3WN&8omWNYw7pJ-@&_Fg>a?>eIkHlVuUl)abxGwx6c&|NX!`L2w`hZWF;gHC?-#At}K;Z3)C_9Y4W5J1$^IWL3dD^X{EH`D?*EVG`1G--5wB"
    "tm{rz8k)g8jxT?At+By8l%{d1oXNpFIj-dU>*2vX0omfhpZdW(fy@M*yc5Da?$d92M=ioUB%G|IMMuIs;8=FYykWvTE?KDhvV6ikcn){XE||hR"
    "QVJ?lH?+b$m)n*x)X>5_^?0eV4er7`?ygqS><hy@qoinFdn&^`qY|zK#7V<EK&Uf%(rLpy3PDzqvx>t!`iQP@b*#fYrUVzWC(pw?b@X7W+w#La"
    "+U2>Nq!+|IlwMR7m_5Wi6*{Lx&Sb<qyhEIIVvWQ+Ct7QrbGO7i0*TEHCF8_AL9FRhpAf}7LVh|@5kSQ}8{|r<v2n#b*^P0Fz@^1J{?IxkirmFK"
    "Odf{MX%@yj>S_Rc&Qr!b!{wj8K$XTkGU5r1Yum;=G<sj~C@04}a|Q`km3hZJjLz2dE!4+6H1a7013Ab%6nv_`539&LmPBuq;4aBLt5-k)?#szM"
    "T6dIq+>gpUvHf^BADGKLGpz}Nv^&i_"
)
FI = base64.b85decode(
    "00000008hmhwypHYDDip6{&1nRJZOwckn0R5kKxfmEHuWZ`18R^1N3Dl5p)m+!>*GNfhlr>n*3KGrjCTe|V|RUTW+=>bmaP92@LEg52Rw>(1*x"
    "QuU8IWrgcM5ZyF_IzH<^qUdZtD*5U^1SNX${<Z2q;mJ_di*)Kg53lw8sx<09*dJx?JND^6fd(XvBDv{5!Fpj=Mt$i&M|vB=kwWP|PjNB5@d)WZ"
    "s0!v!RnX`^0^hnwt(fRPth_h;>tX0WZqHT^1uW=4%i<tQ?e^zCSZJJgn!@Kl)v%yE1CQrFR@iU{A6(}@5^X>9<tgVs?t1FFQ26FQiCSZxSjXl+"
    "DmzhL_m<{ABjb`PCuinA7z|aI;y30$WhQ`_Bnjp}YX3@a=-TB!iCoC6DXrx{kBv+w<bUNqMxKrE6I10s)of*2wI=01XSN{d#QNkvz)nd|KhNYp"
    "cv9SQA*AF#5>Ve?XnEv6c{WK(5l`el<6kw3871UDf?HUbe*5D;qcN`#KGNeq4$WewRjK1Y)d1Qn!+_&I=}`5HgjnN0H9By~moVc$?>J=r`UvAc"
    "?mOyLtl{E6N|o0Xs=DGo70r{5@{{5}?F0oWgl*zKgxio>T}R?S^7k*Pd?DgLAeNG;;QQe}X_-|1ht}ag5z#+aak1e)P&}J(n~dQ<+Bt?21!&<v"
    "oT*+AtwZ5II3F=ck{{te6In8%v-{vbph7_q5ZK^9uGw&nrnKNcfnAv$c9GyeHazgmeQw}CE<dKPyi4FeDuRpQF)83b#LBpZ+y>x3p}l*Icgf#B"
    "$^faSorT{&^Lj7KDMH^rm5+XL8vouuR3E({ZoJ+<#luc&BYNIHg_~dMI5^%v2|9L1t@hnNu~rK*f3@8|Gu|d-t#sW#fDi(qHZ<KoZCkFi8T8yg"
    "NT|SbRkYkc$JYS6=ycpaxGWuS(ly*a7iwXA5%=3ak!^9-q`2EZ8xse3i+bBX$}zKI#5~(SQiY+OPXF3Jo?2fzDZ<)6fY_u;Q-#_;O~4@P%ShTk"
    "K7>X&k__5E-;*9*rO??w#=sba1eMu8lb_(*u36bX7t1r7qaN8m74f<J;p5mph>_kuX{p#hwpy&HIB(cL*$t|HPc_&-5!tvAt^3zMuoU#KP{P+g"
    ">r#@hIf>Ul?XkycXHeHaOkt@z*%#M8s!S4wj^EZlA>N3shNsp);>#r(!Ee?-73F(3Jvi1s$kKpx`T*8HM8bAM_{r5jzV6l;Hj~vq00BL4vs~3b"
    "?K@M#Zzk10l5M|^YVg!QqMQ&{qq@{T)M~At8HLn8{v^Zi%um!m8G1F*yc*O$+tQBE=;hNtu0!#BP_ffLc@qd|^L*1kp3(Uw(MZ!jFZNnZ=@ipH"
    "W(Og6JK@ql-9MH-$F0&o9<fb9jC#^PiQX3<ibv8vp3L`oz!cIy7J(S{F5=NYQ1HSz)vwV%=u}kgvVGA%XYMq+$4k*aBP7pH6B^M!#0iI4mFUnv"
    "+Cs93O}EfLHban)JBH9d+37+eUscdQesst7w<OR%#gpHOi|EfkH8Qx25Qxt|(wOON{wL2rM4ZW_RLIUh-8?9=5^2sqgmFa{I10``3XsQD#H-Ce"
    "Pf@b?woT1H%x_+b5Ae)CQ{Qo!&63PNN1fQW@HNaop%}h;c-hN8sxgOpWPQs&I?>Ehv?0qs2N+kPXU57uekK_Uerw7<J$@}R_YlfITK>|%(zeMz"
    "CwyvO5M9YXY5H`(uLH?HTY-|1u&T&EIGTZq5>m)Nb#WhJ)%nLiBco{3_@T!?rnP#Ud`ibZ7DtwTVDrX5T=F44q@2b-obj!qM@Gg!`Gfd&O7O)$"
    "Y#sB6teV9?HE77GZAHaD!5`zTjqt=jEzb3944lM2)pY~H=|{vrt}$tgCG^8T?$_w5zo5fEh^w>(xJ|=9Wh#7x4*SAC8V7n4!>GbPw_byy)mFkk"
    "G&~q3Mg_t@LVb0T6tuxVV=buVKx4r_xo)Bz%M!sqx(QM}v%<hXg}=B<`EtNNDt!i2og=_MEFx>mKB>Py91c<`{|moAOQo9fdvCr!kLY$`wbQ*n"
    "<&nL)t2n(s3UoV3U!J@_6%Y$(&;-0cGve}i|7*KHGxo~q?9;kGhGOb7nLN5b8C#v)1g5z^tDvNHFc7&vQYgQj9DBGw*6%(6%I3E}b`h#tIa9Yk"
    "OiF2UYrwWY7)^yFVJ@~mq-Jzi8=bX3t}FTmn+&x-6CxWx;e50|hMFcL@9ncca6Z}O#b2{O5iy(3X40}hkqzBM(?zmBeTkR847#yDofq=Z6fdzq"
    "C6*N|?WC|jm*g;>mm9D@HEwJxEGDl%fl;zY)fTQlV)3p1E(xtaEGj4uKK-jda9=o(2lJ{wV^t~nkm{*FtF>q<;Nz%29w)DN``)KNWYCzi>D#71"
    ")UEP7vf8CTT_+I^UE8ET%kG%Y^4+69m-Id8eBz=%ylNkx1?izb5rCF1nDL-L#HAS5f%u<4b&P`B8WNsA8VSvV88Dnb`0FB0pHiAX3c&!j(Rr9Z"
    "g1-y&+NG91WU%}4>eiG$6JD#0I1Q6O5-?yi14)rTN!@Z!Dix1EtdCD8jiie|c%+RD1VM;D;LjRDmg|H+k}s7hlBIz^H)!nmVBvf}UAPR{sGfE|"
    "{jsnEABu24XRyITpI>D^5BIsY1*TL#"
)


Drawn = Sequence[tuple[ParamInfo | StateInfo, Distribution]]


def drawn_in(net: Net) -> Drawn | None:
    """How the parameters and states of a net are drawn; None: Python code makes one of them."""
    drawn: list[tuple[ParamInfo | StateInfo, Distribution]] = []
    for p in (*net.params, *net.states):
        own = type(p.init).fill is not Initializer.fill
        how = None if own else p.init.distribution(p.shape)
        if how is None:
            return None
        drawn.append((p, how))
    return drawn


def drawing_bytes(drawn: Drawn) -> int:
    """Memory for drawing: the doubles of an orthogonal matrix."""
    return max((8 * math.prod(p.shape) for p, how in drawn if how.kind == "orthogonal"), default=0)


def drawings(drawn: Drawn | None, numbers: dict[str, int], data: Data) -> dict[str, Any]:
    """Variables of the template of init_drawn(); `numbers` are the numbers of the arrays, by graph input."""
    if not drawn:
        return {"draws": False, "ziggurat": -1}
    rows = [_row(p, how, data) | {"array": numbers[p.value]} for p, how in drawn]
    kinds = {row["kind"] for row in rows}
    ziggurat = data.take(KI + WI + FI) if kinds & {"NORMAL", "ORTHOGONAL"} else -1
    return {"draws": True, "drawings": rows, "ziggurat": ziggurat, "orthogonal": "ORTHOGONAL" in kinds}


def _row(p: ParamInfo | StateInfo, how: Distribution, data: Data) -> dict[str, Any]:
    name = json.dumps([p.key, p.name], separators=(",", ":"))[1:]
    table = np.zeros(0) if how.values is None else np.ascontiguousarray(how.values, "<f8")
    return {
        "kind": how.kind.upper(),
        "n": math.prod(p.shape),
        "rows": p.shape[0] if p.shape else 1,
        "mean": repr(float(how.mean)),
        "scale": repr(float(how.scale)),
        "text": f",{name}",
        "table": data.take(table.tobytes()) if table.size else 0,
        "table_n": table.size,
    }


@record
class Saved:
    """The layout of a file of parameters or training state.

    Attributes:
        header: 8 bytes with its length, then its text, with zeros in place of all numbers.
        arrays: names of the kept arrays, in the order of the file.
        fields: offset of the digits of each number, by its name.
    """

    header: bytes
    arrays: tuple[str, ...]
    fields: Mapping[str, int]

    @property
    def begins(self) -> int:
        """Offset of the first array."""
        return len(self.header)


def saved_parameters(net: Net, kept: Sequence[KeptArray]) -> Saved:
    """The file of the parameters, as program.save() writes it."""
    return _saved(_parameters(net, kept), {})


def saved_state(
    net: Net, kept: Sequence[KeptArray], method: str, slots: Sequence[str], settable: Sequence[str]
) -> Saved:
    """The file of a training's state.

    Args:
        method: the name of the solver method.
        slots: names of the slots that the method keeps.
    """
    known = {k.name: k for k in kept}
    arrays = {**_parameters(net, kept), **{f"{SLOT}{name}": known[name] for name in slots}}
    return _saved(arrays, flat_metadata(net.name, method, settable))


def _parameters(net: Net, kept: Sequence[KeptArray]) -> dict[str, KeptArray]:
    known = {k.name: k for k in kept}
    return {f"{p.key}___{p.name}": known[p.value] for p in (*net.params, *net.states)}


def _saved(arrays: Mapping[str, KeptArray], metadata: Mapping[str, str]) -> Saved:
    shapes = {name: (DTYPES[k.type.dtype], k.type.shape) for name, k in arrays.items()}
    header = header_of(shapes, metadata)
    fields = {}
    for name in (CHECKSUM, *metadata):
        mark = f'{json.dumps(name, ensure_ascii=False)}:"'.encode()
        fields[name] = header.index(mark) + len(mark)
    return Saved(header, tuple(k.name for k in arrays.values()), fields)


def initial_bytes(net: Net, values: Mapping[str, np.ndarray], without: Container[str] = ()) -> bytes:
    """The bytes of a net's parameters and states, as they follow the header, except those in `without`."""
    arrays = [values[p.value] for p in (*net.params, *net.states) if p.value not in without]
    return b"".join(array.astype(array.dtype.newbyteorder("<")).tobytes() for array in arrays)
